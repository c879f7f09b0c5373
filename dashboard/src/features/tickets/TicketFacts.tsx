import type { ReactNode } from "react";
import { Card, Group, Stack, Text } from "@mantine/core";
import { TextLink } from "../../components/PageLink";
import type { Schemas } from "../../api";
import { useActorName } from "../../components/actorNames";
import { CardHeading, Dimmed, PlainText } from "../../components/variants";
import { Time } from "../../components/Time";
import { ValueList } from "../../components/ValueList";
import { dueText } from "./ticketTimes";
import { isOpen } from "./ticketState";
import { nameAtStart } from "./nameAtStart";
import { useMinute } from "../../components/useMinute";
import { useAssigneeNames } from "./useAssigneeNames";

/** The task's inputs, and the error of a failed task. */
export function Given({ ticket }: { ticket: Schemas["TicketDetails"] }) {
  const inputs = Object.entries(ticket.inputs ?? {});
  return (
    <>
      {ticket.exception && (
        <Card withBorder>
          <CardHeading c="var(--mantine-color-error)">{ticket.exception.error}</CardHeading>
          <PlainText mt={4}>{ticket.exception.detail}</PlainText>
        </Card>
      )}
      {inputs.length > 0 && (
        <Card withBorder>
          <ValueList readable values={Object.fromEntries(inputs)} />
        </Card>
      )}
    </>
  );
}

function DueTime({ ticket }: { ticket: Schemas["TicketDetails"] }) {
  const dueAt = ticket.due_at ?? "";
  const due = dueText(dueAt, useMinute(), !isOpen(ticket));
  return (
    <>
      <Time at={dueAt} />
      {isOpen(ticket) && (
        <Text
          size="sm"
          fw={due.overdue ? 600 : undefined}
          c={due.overdue ? "var(--mantine-color-error)" : "dimmed"}
        >
          {due.text}
        </Text>
      )}
    </>
  );
}

/** Rows that are only a link. */
const SCREEN_ONLY = ["Run", "Conversation", "Follows", "Followed by"];

const END_LABELS: Record<string, string> = {
  completed: "Completed by",
  rejected: "Rejected by",
  retried: "Retried by",
  closed: "Closed by",
};

export function Facts({ ticket }: { ticket: Schemas["TicketDetails"] }) {
  const nameOf = useActorName();
  const assignees = useAssigneeNames();
  const end = ticket.history.findLast(({ change }) => END_LABELS[change]);
  const link = (to: string, text: string) => <TextLink to={to}>{text}</TextLink>;
  const earlier = ticket.rule_type === "Exception" ? "earlier" : "rejected";
  const rows: (readonly [label: string, value: ReactNode])[] = [
    ["Assigned to", nameAtStart(assignees(ticket.assignments))],
    ["Priority", ticket.priority === "HIGH" && "High"],
    ["Claimed by", isOpen(ticket) && (ticket.claimed_by ? nameAtStart(nameOf(ticket.claimed_by)) : "Nobody")],
    [END_LABELS[end?.change ?? ""] ?? "", !isOpen(ticket) && end && nameAtStart(nameOf(end.by))],
    ["Opened", <Time key="at" at={ticket.created_at} />],
    ["Due", ticket.due_at && <DueTime key="at" ticket={ticket} />],
    ["Finished", ticket.resolved_at && <Time key="at" at={ticket.resolved_at} />],
    ["Followed by", ticket.replaced_by && link(`tickets/${ticket.replaced_by}`, "Open new ticket")],
    ["Follows", ticket.replaces && link(`tickets/${ticket.replaces}`, `Open ${earlier} ticket`)],
    ["Task", ticket.task_name],
    ["Agent", link(`agents/${ticket.workflow_id}`, ticket.workflow_name)],
    ["Run", link(`runs/${ticket.workflow_instance_id}`, "Open run")],
    [
      "Conversation",
      ticket.conversation_id && link(`conversations/${ticket.conversation_id}`, "Open conversation"),
    ],
  ];
  return (
    <Card withBorder component="aside" aria-label="Ticket details">
      <Stack gap="xs">
        {rows
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <Group
              key={label}
              justify="space-between"
              wrap="nowrap"
              align="flex-start"
              className={SCREEN_ONLY.includes(label) ? "screenOnly" : undefined}
            >
              <Dimmed>{label}</Dimmed>
              <Text size="sm" ta="right" component="div">
                {value}
              </Text>
            </Group>
          ))}
      </Stack>
    </Card>
  );
}
