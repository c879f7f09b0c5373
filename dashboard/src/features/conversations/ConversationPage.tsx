import { Anchor, Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { Link, useParams } from "react-router";
import { api, unwrap } from "../../api/client";
import { useEventStream } from "../../api/eventStream";
import { useActorName, useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { queryClient } from "../../queryClient";
import { Composer } from "./Composer";
import { MessageBubble } from "./MessageBubble";
import classes from "./chat.module.css";

/** Polling is a fallback for the event stream. */
const CONNECTED_POLL_MS = 30_000;
const DISCONNECTED_POLL_MS = 2_000;

/** One conversation as a chat, the newest message last. */
export default function ConversationPage() {
  const orgId = useOrganizationId();
  const { conversationId: id = "" } = useParams();
  const nameOf = useActorName();
  const conversation = useQuery({
    queryKey: ["organization", orgId, "conversation", id],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/conversations/{id}", {
          params: { path: { orgId, id } },
        }),
      ),
  });
  const connected = useEventStream(
    `/dashboard/api/organizations/${orgId}/conversations/${id}/events`,
    useCallback(
      () =>
        void queryClient.invalidateQueries({
          queryKey: ["organization", orgId, "conversation", id, "messages"],
        }),
      [orgId, id],
    ),
  );
  const messages = usePagedQuery(
    ["organization", orgId, "conversation", id, "messages"],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/conversations/{id}/messages", {
          params: { path: { orgId, id }, query: { limit: 50, after } },
        }),
      ),
    { refetchInterval: connected ? CONNECTED_POLL_MS : DISCONNECTED_POLL_MS },
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
    <QueryBoundary query={conversation}>
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
            <QueryBoundary query={messages}>
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
                        No messages yet. Say hello.
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
            </QueryBoundary>
          </Page>
        );
      }}
    </QueryBoundary>
  );
}
