import { ActionIcon, Anchor, Button, Group, Text, Tooltip } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconArrowDown, IconPencil, IconPlayerStop } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { Link, useLocation, useParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useEventStream } from "../../api/eventStream";
import { useActorName, useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { PrintButton } from "../../components/PrintButton";
import { Time } from "../../components/Time";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { useDraftText } from "../../components/useLocalDraft";
import { queryClient } from "../../queryClient";
import { AnswerActions } from "./AnswerActions";
import { chatEntries, groupsOf, isAwaitingReply, titleOf, untitled, type ChatEntry } from "./chatMessages";
import { Composer, MESSAGE_FIELD } from "./Composer";
import { ConversationList } from "./ConversationList";
import { DropZone } from "./DropZone";
import { EmptyChat } from "./EmptyChat";
import { MessageBubble } from "./MessageBubble";
import { RenameDialog } from "./RenameDialog";
import { useAttachments } from "./useAttachments";
import { useFoundMessage, useScrollToFound } from "./useFoundMessage";
import { useReadPosition } from "./useReadPosition";
import { useScrollToEnd } from "./useScrollToEnd";
import classes from "./chat.module.css";
import listClasses from "./list.module.css";

/** Polling is a fallback for the event stream. */
const CONNECTED_POLL_MS = 30_000;
const DISCONNECTED_POLL_MS = 2_000;

/** One conversation as a chat, the newest message last. */
export default function ConversationPage() {
  const orgId = useOrganizationId();
  const { conversationId: id = "" } = useParams();
  const conversation = useQuery({
    queryKey: ["organization", orgId, "conversation", id],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/conversations/{conversationId}", {
          params: { path: { orgId, conversationId: id } },
        }),
      ),
  });
  const summary = useSummary(orgId, id);
  const isWide = useMediaQuery("(min-width: 1200px)", false, { getInitialValueInEffect: false });
  const open = (
    <QueryBoundary query={summary.isLoading ? summary : conversation}>
      {() =>
        conversation.data && (
          <Conversation key={id} orgId={orgId} conversation={conversation.data} summary={summary.data} />
        )
      }
    </QueryBoundary>
  );
  // One tree for both widths, so that a narrower window keeps the attached files.
  return (
    <div className={isWide ? listClasses.split : undefined}>
      {isWide && <ConversationList orgId={orgId} openId={id} />}
      <div>{open}</div>
    </div>
  );
}

/** The conversation as in the list, whose title it shows. */
function useSummary(orgId: string, id: string) {
  return useQuery({
    queryKey: ["organization", orgId, "conversations", "one", id],
    queryFn: async () => {
      const { items } = await unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/conversation-summaries", {
          params: { path: { orgId }, query: { id, limit: 1 } },
        }),
      );
      return items[0] ?? null;
    },
    // An address that is no ID.
    enabled: /^[0-9a-f]{32}$/.test(id),
  });
}

interface Props {
  orgId: string;
  conversation: Schemas["Conversation"];
  summary: Schemas["ConversationSummary"] | null | undefined;
}

function Conversation({ orgId, conversation, summary }: Props) {
  const nameOf = useActorName();
  const { search } = useLocation();
  const searched = new URLSearchParams(search).get("q") ?? undefined;
  const [renaming, dialog] = useDisclosure(false);
  const messages = useMessages(orgId, conversation.id);
  const loadOlder = async () => {
    let { hasNextPage } = messages;
    while (hasNextPage) {
      // oxlint-disable-next-line no-await-in-loop -- a page names the next one
      ({ hasNextPage } = await messages.fetchNextPage({ throwOnError: true }));
    }
  };
  const workflowId = conversation.config.workflow_id as string | undefined;
  const agent = untitled(workflowId ? nameOf(`agent:${workflowId}`) : undefined);
  const first_message = summary?.first_message ?? null;
  const title = titleOf({ title: conversation.title, first_message });
  return (
    <Page
      stickyTitle
      title={title ?? agent}
      back={{ to: `/organizations/${orgId}/conversations${search}`, label: "Conversations" }}
      badge={
        <Group gap={4} wrap="nowrap" data-commands>
          <Tooltip label="Rename">
            <ActionIcon variant="subtle" color="gray" aria-label="Rename" onClick={dialog.open}>
              <IconPencil size={18} />
            </ActionIcon>
          </Tooltip>
          <PrintButton subtle prepare={loadOlder} />
        </Group>
      }
      about={
        <>
          {title !== undefined && `${agent} · `}
          Started by {nameOf(conversation.created_by)} · <Time at={conversation.created_at} />
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
      <Chat
        orgId={orgId}
        id={conversation.id}
        messages={messages}
        startedBy={conversation.created_by}
        workflowId={workflowId}
        searched={searched}
      />
      {renaming && (
        <RenameDialog orgId={orgId} conversation={conversation} title={title ?? ""} onClose={dialog.close} />
      )}
    </Page>
  );
}

/** The messages, and how to load older ones. */
function useMessages(orgId: string, id: string) {
  const connected = useEventStream(
    `/dashboard/api/organizations/${orgId}/conversations/${id}/events`,
    useCallback(() => {
      void queryClient.invalidateQueries({
        queryKey: ["organization", orgId, "conversation", id, "messages"],
      });
      // The steps of runs that are shown.
      void queryClient.invalidateQueries({ queryKey: ["organization", orgId, "run"] });
    }, [orgId, id]),
  );
  return usePagedQuery(
    ["organization", orgId, "conversation", id, "messages"],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/conversations/{conversationId}/messages", {
          params: { path: { orgId, conversationId: id }, query: { limit: 50, after } },
        }),
      ),
    { refetchInterval: connected ? CONNECTED_POLL_MS : DISCONNECTED_POLL_MS },
  );
}

interface ChatProps {
  orgId: string;
  id: string;
  messages: ReturnType<typeof useMessages>;
  startedBy: string;
  workflowId: string | undefined;
  /** The text that the list was searched for. */
  searched: string | undefined;
}

function Chat({ orgId, id, messages, startedBy, workflowId, searched }: ChatProps) {
  const [text, setText] = useDraftText(`message/${id}`);
  const attachments = useAttachments();
  useUnsavedChanges(attachments.list.length > 0);
  const newest = messages.items[0]?.id;
  const entries = chatEntries(messages.items.toReversed());
  useReadPosition(orgId, id, newest);
  const found = useFoundMessage(orgId, id, searched);
  const chat = useRef<HTMLDivElement>(null);
  const { isAtEnd, toEnd } = useScrollToEnd(chat, messages.data !== undefined, found === null);
  useScrollToFound(found, messages);
  return (
    <QueryBoundary query={messages}>
      {() => (
        <DropZone onDrop={attachments.add}>
          <div ref={chat} className={classes.messages} role="log" aria-label="Messages">
            {messages.hasNextPage && (
              <>
                <Button
                  variant="subtle"
                  size="xs"
                  loading={messages.isFetchingNextPage}
                  onClick={() => messages.fetchNextPage()}
                >
                  Show older messages
                </Button>
                <Text size="xs" mb="sm" className="printOnly">
                  Older messages are not printed here.
                </Text>
              </>
            )}
            {entries.length === 0 && (
              <EmptyChat
                orgId={orgId}
                workflowId={workflowId}
                onChoose={(example) => {
                  setText(example);
                  document.getElementById(MESSAGE_FIELD)?.focus();
                }}
              />
            )}
            {groupsOf(entries).map((group) => (
              <MessageBubble
                key={group[0].message.id}
                orgId={orgId}
                conversationId={id}
                entry={group[0]}
                others={group.slice(1)}
                found={found}
                withCustomer={startedBy.startsWith("api_key:")}
              />
            ))}
            <AnswerActions orgId={orgId} conversationId={id} entries={entries} />
            <TypingSign entries={entries} />
            {workflowId === undefined && <StopReply orgId={orgId} id={id} entries={entries} />}
          </div>
          {!isAtEnd && (
            <Button
              className={`${classes.toEnd} screenOnly`}
              size="xs"
              variant="default"
              radius="xl"
              leftSection={<IconArrowDown size={14} aria-hidden />}
              onClick={toEnd}
            >
              Latest messages
            </Button>
          )}
          <Composer
            orgId={orgId}
            conversationId={id}
            startedBy={startedBy}
            text={text}
            setText={setText}
            attachments={attachments}
            withModel={workflowId === undefined}
            onSend={toEnd}
          />
        </DropZone>
      )}
    </QueryBoundary>
  );
}

/** Stops the reply that the model is writing. */
function StopReply({ orgId, id, entries }: { orgId: string; id: string; entries: ChatEntry[] }) {
  const stop = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/conversations/{conversationId}/stop", {
          params: { path: { orgId, conversationId: id } },
        }),
      ),
  });
  return (
    isAwaitingReply(entries) && (
      <>
        <Button
          className="screenOnly"
          size="compact-xs"
          variant="default"
          w="fit-content"
          leftSection={<IconPlayerStop size={14} aria-hidden />}
          loading={stop.isPending}
          onClick={() => stop.mutate()}
        >
          Stop
        </Button>
        <ErrorNotice error={stop.error} />
      </>
    )
  );
}

/** Three dots while a reply is being written. */
function TypingSign({ entries }: { entries: ChatEntry[] }) {
  return (
    isAwaitingReply(entries) && (
      <div className={classes.typing} role="status" aria-label="Working on a reply">
        <span />
        <span />
        <span />
      </div>
    )
  );
}
