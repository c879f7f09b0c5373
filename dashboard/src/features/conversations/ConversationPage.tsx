import { Anchor, Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { Link, useParams } from "react-router";
import { api, ask } from "../../api/client";
import { useLive } from "../../api/live";
import { useActorName, useOrganizationId } from "../../api/organization";
import { usePages } from "../../api/pages";
import { Loaded } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { Time } from "../../parts/Time";
import { queryClient } from "../../queryClient";
import { Composer } from "./Composer";
import { MessageBubble } from "./MessageBubble";
import classes from "./chat.module.css";

/** How often to ask for messages while the live stream stands, and while it does not. */
const SELDOM = 30_000;
const OFTEN = 2_000;

/** One conversation as a chat, the newest message last. */
export default function ConversationPage() {
  const orgId = useOrganizationId();
  const { conversationId: id = "" } = useParams();
  const nameOf = useActorName();
  const conversation = useQuery({
    queryKey: ["organization", orgId, "conversation", id],
    queryFn: () =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/conversations/{id}", {
          params: { path: { orgId, id } },
        }),
      ),
  });
  const live = useLive(
    `/dashboard/api/organizations/${orgId}/conversations/${id}/events`,
    useCallback(
      () =>
        void queryClient.invalidateQueries({
          queryKey: ["organization", orgId, "conversation", id, "messages"],
        }),
      [orgId, id],
    ),
  );
  const messages = usePages(
    ["organization", orgId, "conversation", id, "messages"],
    (after) =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/conversations/{id}/messages", {
          params: { path: { orgId, id }, query: { limit: 50, after } },
        }),
      ),
    { refetchInterval: live ? SELDOM : OFTEN },
  );
  const oldestFirst = messages.items.toReversed();
  const newest = messages.items[0]?.id;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (newest) {
      end.current?.scrollIntoView({ block: "nearest" });
    }
  }, [newest]);

  return (
    <Loaded query={conversation}>
      {(found) => {
        const workflowId = found.config.workflow_id as string | undefined;
        const agent = nameOf(`agent:${workflowId}`);
        return (
          <Page
            title={workflowId ? agent : "Chat with the model"}
            back={{ to: `/organizations/${orgId}/conversations`, label: "Conversations" }}
            about={
              <>
                Started by {nameOf(found.created_by)} · <Time at={found.created_at} />
                {workflowId && (
                  <>
                    {" · "}
                    <Anchor component={Link} inherit to={`/organizations/${orgId}/runs?agent=${workflowId}`}>
                      Runs of this agent
                    </Anchor>
                  </>
                )}
              </>
            }
          >
            <Loaded query={messages}>
              {() => (
                <div className={classes.chat}>
                  <Stack gap="md" className={classes.messages} role="log" aria-label="Messages" tabIndex={0}>
                    {messages.hasNextPage && (
                      <Button
                        variant="subtle"
                        size="xs"
                        loading={messages.isFetchingNextPage}
                        onClick={() => messages.fetchNextPage()}
                      >
                        Show older messages
                      </Button>
                    )}
                    {oldestFirst.length === 0 && (
                      <Text c="dimmed" ta="center" py="xl">
                        No messages yet. Write the first one below.
                      </Text>
                    )}
                    {oldestFirst.map((message) => (
                      <MessageBubble key={message.id} orgId={orgId} message={message} />
                    ))}
                    <div ref={end} />
                  </Stack>
                  <Composer orgId={orgId} conversationId={id} />
                </div>
              )}
            </Loaded>
          </Page>
        );
      }}
    </Loaded>
  );
}
