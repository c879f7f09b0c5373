import { Table, Text, VisuallyHidden } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { useActorName } from "../../api/organization";
import { useTeams } from "../../api/queries";
import { fileName } from "../../components/fileUris";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { firstLine, plainNotice } from "./chatMessages";
import classes from "./list.module.css";

type Line = Schemas["MessageLine"];

/** A message in one line. */
const lineOf = ({ text, filename, type }: Line) =>
  firstLine(type === "SYSTEM" ? plainNotice(text ?? "") : text) || (filename ? fileName(filename) : "");

const NoRun = () => (
  <Text span size="sm" c="dimmed" visibleFrom="xs">
    None
  </Text>
);

/** A conversation in the list: what it is about, and its last message. */
export function ConversationRow({
  orgId,
  conversation,
}: {
  orgId: string;
  conversation: Schemas["ConversationSummary"];
}) {
  const nameOf = useActorName();
  const { data: teams = [] } = useTeams(orgId);
  const { first_message: first, last_message: last, unread } = conversation;
  const agent = conversation.workflow_id ? nameOf(`agent:${conversation.workflow_id}`) : "The model";
  const team = teams.find((each) => each.id === conversation.team_id)?.name;
  return (
    <Table.Tr>
      <Table.Td className={classes.cell} data-unread={unread || undefined}>
        <Link className={classes.title} to={`/organizations/${orgId}/conversations/${conversation.id}`}>
          {unread && <VisuallyHidden>Unread: </VisuallyHidden>}
          {conversation.title ?? ((first && lineOf(first)) || "No messages yet")}
        </Link>
        {last && last.id !== first?.id && (
          <Text size="sm" c="dimmed" truncate>
            {nameOf(last.created_by)}: {lineOf(last)}
          </Text>
        )}
        <Text size="xs" c="dimmed" truncate>
          Started by {nameOf(conversation.created_by)}
          {team && ` · ${team}`}
        </Text>
      </Table.Td>
      <Table.Td>{agent}</Table.Td>
      <Table.Td>
        {conversation.run_status ? <StatusLabel status={conversation.run_status} /> : <NoRun />}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Time at={conversation.last_activity_at} relative />
      </Table.Td>
    </Table.Tr>
  );
}
