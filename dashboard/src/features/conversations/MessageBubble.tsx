import { Anchor, Collapse, Group, Menu, Text } from "@mantine/core";
import { useClipboard, useDisclosure } from "@mantine/hooks";
import { IconCode, IconCopy, IconDots, IconLetterCase } from "@tabler/icons-react";
import { IconButton } from "../../components/IconButton";
import { PageLink, TextLink } from "../../components/PageLink";
import { useActorName } from "../../components/actorNames";
import { DimmedXs } from "../../components/variants";
import { JsonBlock } from "../../components/JsonBlock";
import { MenuItem } from "../../components/MoreMenu";
import { looksLikeMarkdown } from "../../components/markdownText";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { isByMember, requestedInputs, runStatusOf, type ChatEntry } from "./chatMessages";
import { InputRequestForm } from "./InputRequestForm";
import { MessageContent } from "./MessageContent";
import { RunSteps } from "./RunSteps";
import classes from "./chat.module.css";
import { capitalized } from "../../components/capitalized";

/** The action of the sender; undefined for a plain message. */
function actionOf({ message, openInputs }: ChatEntry): string | undefined {
  switch (message.type) {
    case "INPUT_REQUEST":
      return openInputs ? "needs your input" : "asked for input";
    case "HUMAN_RESPONSE":
      return "answered a ticket";
    default:
      return undefined;
  }
}

interface Props {
  conversationId: string;
  entry: ChatEntry;
  /** The other files that were sent with it. */
  others: ChatEntry[];
  /** The message that a search found. */
  found?: string | null | undefined;
  /** Whether the conversation is with a customer, who writes through an API key. */
  withCustomer: boolean;
}

/** A message with its sender and, if it started a run, the steps of the run. */
export function MessageBubble({ conversationId, entry, others, found, withCustomer }: Props) {
  const { message, openInputs } = entry;
  const all = [entry, ...others];
  const waitsFor = all.find((each) => each.waitsFor)?.waitsFor;
  const status = waitsFor
    ? "WAITING"
    : all.find((each) => each.message.status !== "DELIVERED" && !each.isStopped)?.message.status;
  const nameOf = useActorName();
  const [raw, rawDisplay] = useDisclosure(false);
  const [plain, plainDisplay] = useDisclosure(false);
  // Both are on the side of those who ask the agent, since it answers both.
  const byTeam = withCustomer && isByMember(message);
  const ticket = message.metadata.ticket_id;
  return (
    <>
      <article
        className={`${classes.message} ${entry.repeated ? "screenOnly" : ""}`}
        data-type={message.type}
        data-team={byTeam || undefined}
      >
        <Group gap={6} mb={4}>
          <Text size="xs" fw={600}>
            {capitalized(nameOf(message.created_by))} {byTeam && "(team)"} {actionOf(entry)}
          </Text>
          <DimmedXs>
            <Time at={message.created_at} relative />
          </DimmedXs>
          {status && <StatusLabel status={status} />}
          <MessageMenu
            entries={all}
            plain={plain}
            raw={raw}
            onPlain={plainDisplay.toggle}
            onRaw={rawDisplay.toggle}
          />
        </Group>
        <div className={classes.bubble}>
          {all.map((each) => (
            <div
              key={each.message.id}
              id={`message-${each.message.id}`}
              className={classes.part}
              data-found={each.message.id === found || undefined}
            >
              <MessageContent entry={each} plain={plain} />
            </div>
          ))}
          {openInputs && (
            <InputRequestForm conversationId={conversationId} messageId={message.id} inputs={openInputs} />
          )}
          {typeof ticket === "string" && (
            <Anchor component={PageLink} size="sm" to={`tickets/${ticket}`}>
              Open ticket
            </Anchor>
          )}
        </div>
        {waitsFor && <WaitingNote ticket={waitsFor.ticket} />}
        <Collapse expanded={raw}>
          {raw && (
            <JsonBlock
              value={others.length === 0 ? message : all.map((each) => each.message)}
              label="message as JSON"
            />
          )}
        </Collapse>
      </article>
      {all.map(
        (each) =>
          each.startedRun && (
            <RunSteps
              key={each.startedRun}
              runId={each.startedRun}
              status={runStatusOf(each.message)}
              latest={each.isLatestRun ?? false}
            />
          ),
      )}
    </>
  );
}

/** When a message is read that was sent during a run. */
function WaitingNote({ ticket }: { ticket: string | undefined }) {
  return (
    <DimmedXs mt={4}>
      Read when the run has ended or asks for input.
      {ticket && (
        <>
          {" "}
          The run is waiting for <TextLink to={`tickets/${ticket}`}>a ticket</TextLink>.
        </>
      )}
    </DimmedXs>
  );
}

interface MenuProps {
  entries: ChatEntry[];
  plain: boolean;
  raw: boolean;
  onPlain: () => void;
  onRaw: () => void;
}

function MessageMenu({ entries, plain, raw, onPlain, onRaw }: MenuProps) {
  const clipboard = useClipboard();
  const content = entries
    .map(({ message }) => message.content ?? "")
    .filter((text) => text !== "")
    .join("\n\n");
  const formatted =
    looksLikeMarkdown(content) ||
    entries.some(({ message, values }) => values !== undefined || requestedInputs(message).length > 0);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconButton icon={IconDots} label="Message actions" size={24} ml="auto" />
      </Menu.Target>
      <Menu.Dropdown>
        {content !== "" && (
          <MenuItem icon={IconCopy} label="Copy text" onClick={() => clipboard.copy(content)} />
        )}
        {formatted && (
          <MenuItem
            icon={IconLetterCase}
            label={plain ? "Show formatted" : "Show plain text"}
            onClick={onPlain}
          />
        )}
        <MenuItem icon={IconCode} label={raw ? "Hide JSON" : "Show JSON"} onClick={onRaw} />
      </Menu.Dropdown>
    </Menu>
  );
}
