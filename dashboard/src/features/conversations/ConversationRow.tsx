import { Table, VisuallyHidden } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { useOrganizationId, useTeams, type Schemas } from "../../api";
import { useActorName } from "../../components/actorNames";
import { Dimmed, DimmedXs } from "../../components/variants";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import type { MeasuredRow } from "../../components/VirtualRows";
import { lineOf, snippetOf, titleInList } from "./chatMessages";
import classes from "./list.module.css";

const NoRun = () => (
  <Dimmed span visibleFrom="xs">
    None
  </Dimmed>
);

interface RowProps extends MeasuredRow {
  /** The text that the conversations were searched for. */
  searched: string | undefined;
  conversation: Schemas["ConversationSummary"];
}

/** A conversation in the list: what it is about, and its last message, or the one that a search found. */
export function ConversationRow({ ref, "data-index": index, searched, conversation }: RowProps) {
  const orgId = useOrganizationId();
  const nameOf = useActorName();
  // The list beside the conversation shows the same conversations.
  const { search } = useLocation();
  const { data: teams = [] } = useTeams();
  const { unread } = conversation;
  const agent = conversation.workflow_id ? nameOf(`agent:${conversation.workflow_id}`) : "The model";
  const team = teams.find((each) => each.id === conversation.team_id)?.name;
  return (
    <Table.Tr ref={ref} data-index={index} className={classes.row}>
      <Table.Td className={classes.cell} data-unread={unread || undefined}>
        <Link
          className={classes.title}
          data-list-row
          to={{ pathname: `/organizations/${orgId}/conversations/${conversation.id}`, search }}
        >
          {unread && <VisuallyHidden>Unread: </VisuallyHidden>}
          {titleInList(conversation, agent)}
        </Link>
        <Dimmed truncate>
          <LastLine conversation={conversation} searched={searched} agent={agent} />
        </Dimmed>
      </Table.Td>
      <Table.Td>{agent}</Table.Td>
      <Table.Td data-label="By">
        {nameOf(conversation.created_by)}
        {team && <DimmedXs truncate>{team}</DimmedXs>}
      </Table.Td>
      <Table.Td>
        {conversation.run_status ? <StatusLabel status={conversation.run_status} /> : <NoRun />}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Time at={conversation.last_activity_at} relative />
      </Table.Td>
    </Table.Tr>
  );
}

interface LastLineProps {
  conversation: Schemas["ConversationSummary"];
  searched: string | undefined;
  agent: string;
}

/** The message that a search found, or the last one; the agent if that is the title already. */
export function LastLine({ conversation, searched, agent }: LastLineProps) {
  const nameOf = useActorName();
  const { first_message: first, last_message: last, match } = conversation;
  const shown = match ?? (last && last.id !== first?.id ? last : null);
  if (!shown) {
    return first ? agent : "No messages yet";
  }
  return (
    <>
      {nameOf(shown.created_by)}:{" "}
      {match && searched ? <Snippet text={match.text ?? lineOf(match)} searched={searched} /> : lineOf(shown)}
    </>
  );
}

/** The found word in its sentence. */
function Snippet({ text, searched }: { text: string; searched: string }) {
  const [before, found, after] = snippetOf(text, searched);
  return (
    <>
      {before}
      {found && <mark className={classes.found}>{found}</mark>}
      {after}
    </>
  );
}
