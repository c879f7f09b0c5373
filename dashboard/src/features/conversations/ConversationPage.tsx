import { Button, Group, Text } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconArrowDown, IconPencil, IconPlayerStop } from "@tabler/icons-react";
import { useCallback, useRef } from "react";
import { useLocation, useParams } from "react-router";
import { TextLink } from "../../components/PageLink";
import {
  refetch,
  refreshMessages,
  useConversation,
  useEventStream,
  useMessages,
  useOrganizationId,
  useStopReply,
  useSummary,
  type LiveTexts,
  type Schemas,
} from "../../api";
import { useActorName } from "../../components/actorNames";
import { SmallButton, SecondaryButton } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { IconButton } from "../../components/IconButton";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { PrintButton } from "../../components/PrintButton";
import { Time } from "../../components/Time";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { useDraftText } from "../../components/useLocalDraft";
import { AnswerActions } from "./AnswerActions";
import { chatEntries, groupsOf, isAwaitingReply, titleOf, untitled, type ChatEntry } from "./chatMessages";
import { Composer, MESSAGE_FIELD } from "./Composer";
import { ConversationList } from "./ConversationList";
import { DropZone } from "./DropZone";
import { EmptyChat } from "./EmptyChat";
import { LiveReply } from "./LiveReply";
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
  const { conversationId: id = "" } = useParams();
  const conversation = useConversation(id);
  const summary = useSummary(id);
  const isWide = useMediaQuery("(min-width: 1200px)", false, { getInitialValueInEffect: false });
  const open = (
    <QueryBoundary query={summary.isLoading ? summary : conversation}>
      {() =>
        conversation.data && <Conversation key={id} conversation={conversation.data} summary={summary.data} />
      }
    </QueryBoundary>
  );
  // One tree for both widths, so that a narrower window keeps the attached files.
  return (
    <div className={isWide ? listClasses.split : undefined}>
      {isWide && <ConversationList openId={id} />}
      <div>{open}</div>
    </div>
  );
}

interface Props {
  conversation: Schemas["Conversation"];
  summary: Schemas["ConversationSummary"] | null | undefined;
}

function Conversation({ conversation, summary }: Props) {
  const nameOf = useActorName();
  const { search } = useLocation();
  const searched = new URLSearchParams(search).get("q") ?? undefined;
  const [renaming, dialog] = useDisclosure(false);
  const { messages, texts } = useLiveMessages(conversation.id);
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
      back={{ to: `conversations${search}`, label: "Conversations" }}
      badge={
        <Group gap={4} wrap="nowrap" data-commands>
          <IconButton icon={IconPencil} iconSize={18} label="Rename" tooltip="Rename" onClick={dialog.open} />
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
              <TextLink to={`runs?agent=${workflowId}`}>Runs of this agent</TextLink>
            </>
          )}
        </>
      }
    >
      <Chat
        id={conversation.id}
        messages={messages}
        texts={texts}
        startedBy={conversation.created_by}
        workflowId={workflowId}
        searched={searched}
      />
      {renaming && <RenameDialog conversation={conversation} title={title ?? ""} onClose={dialog.close} />}
    </Page>
  );
}

/** The messages, how to load older ones, and the texts that models are writing. */
function useLiveMessages(id: string) {
  const orgId = useOrganizationId();
  const { connected, texts } = useEventStream(
    `/dashboard/api/organizations/${orgId}/conversations/${id}/events`,
    useCallback(() => {
      void refreshMessages(orgId, id);
      // The steps of runs that are shown.
      void refetch(orgId, "run");
    }, [orgId, id]),
  );
  return { messages: useMessages(id, connected ? CONNECTED_POLL_MS : DISCONNECTED_POLL_MS), texts };
}

interface ChatProps {
  id: string;
  messages: ReturnType<typeof useMessages>;
  texts: LiveTexts;
  startedBy: string;
  workflowId: string | undefined;
  /** The text that the list was searched for. */
  searched: string | undefined;
}

function Chat({ id, messages, texts, startedBy, workflowId, searched }: ChatProps) {
  const [text, setText] = useDraftText(`message/${id}`);
  const attachments = useAttachments();
  useUnsavedChanges(attachments.list.length > 0);
  const newest = messages.items[0]?.id;
  const entries = chatEntries(messages.items.toReversed());
  useReadPosition(id, newest);
  const found = useFoundMessage(id, searched);
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
                conversationId={id}
                entry={group[0]}
                others={group.slice(1)}
                found={found}
                withCustomer={startedBy.startsWith("api_key:")}
              />
            ))}
            <AnswerActions conversationId={id} entries={entries} />
            <LiveReply texts={texts} messages={messages.items}>
              <TypingSign entries={entries} />
            </LiveReply>
            {workflowId === undefined && <StopReply id={id} entries={entries} />}
          </div>
          {!isAtEnd && (
            <SmallButton
              className={`${classes.toEnd} screenOnly`}
              radius="xl"
              leftSection={<IconArrowDown size={14} aria-hidden />}
              onClick={toEnd}
            >
              Latest messages
            </SmallButton>
          )}
          <Composer
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
function StopReply({ id, entries }: { id: string; entries: ChatEntry[] }) {
  const stop = useStopReply(id);
  return (
    isAwaitingReply(entries) && (
      <>
        <SecondaryButton
          className="screenOnly"
          size="compact-xs"
          w="fit-content"
          leftSection={<IconPlayerStop size={14} aria-hidden />}
          loading={stop.isPending}
          onClick={() => stop.mutate()}
        >
          Stop
        </SecondaryButton>
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
