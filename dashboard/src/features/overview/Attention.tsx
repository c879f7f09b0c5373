import { Anchor, Card, List } from "@mantine/core";
import { IconAlertTriangle, IconClockExclamation, IconInbox, IconWebhook } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { TextLink, InlineLink } from "../../components/PageLink";
import { useEndpoints, useOrganizationId, type Schemas } from "../../api";
import { useActorName } from "../../components/actorNames";
import { counted } from "../../components/counted";
import { SectionHeading } from "../../components/variants";
import { useOverdueTickets, useWaitingTickets } from "../tickets/useWaitingTickets";
import { isFailing } from "../webhooks/isFailing";

interface Props {
  /** The period, for the links. */
  hours: string;
  failedRuns: Schemas["FailedRuns"][];
}

/** Agents with failed runs that are listed one by one. */
const MAX_AGENTS = 4;

/** Agents that are named in the item for all others. */
const MAX_NAMES = 3;

const list = new Intl.ListFormat(undefined, { type: "conjunction" });

/**
 * Overdue and open tickets, agents with failed runs and failing webhook endpoints; hidden if there are none. Test runs
 * do not count.
 */
export function Attention({ hours, failedRuns }: Props) {
  const orgId = useOrganizationId();
  const nameOf = useActorName();
  const waiting = useWaitingTickets();
  const overdue = useOverdueTickets();
  const failing = useEndpoints().data?.items.filter(isFailing) ?? [];
  if (waiting.mine + waiting.team + failedRuns.length + failing.length === 0) {
    return null;
  }
  const base = `/organizations/${orgId}`;
  const failed = `${base}/runs?hours=${hours}&status=FAILED&test_run=false`;
  const others = failedRuns.slice(MAX_AGENTS);
  const unnamed = others.length - MAX_NAMES;
  const names = [
    ...others.slice(0, MAX_NAMES).map((each) => nameOf(`agent:${each.workflow_id}`)),
    ...(unnamed > 0 ? [counted(unnamed, "other agent")] : []),
  ];
  const mine = `${base}/tickets`;
  const team = `${base}/tickets?assignee=team`;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="attention">
      <SectionHeading mb="sm" id="attention">
        Needs attention
      </SectionHeading>
      <List spacing={8} center listStyleType="none" styles={{ itemWrapper: { lineHeight: 1.45 } }}>
        <TicketItem overdue to={`${mine}?overdue=true&sort=due`} number={overdue.mine}>
          for you
        </TicketItem>
        <TicketItem overdue to={`${team}&overdue=true&sort=due`} number={overdue.team}>
          in your teams
        </TicketItem>
        <TicketItem to={mine} number={waiting.mine} kind="open ticket">
          for you
        </TicketItem>
        <TicketItem to={team} number={waiting.team} kind="unclaimed ticket">
          in your teams
        </TicketItem>
        {failedRuns.slice(0, MAX_AGENTS).map((each) => (
          <Item
            key={each.workflow_id}
            icon={<IconAlertTriangle size={18} color="var(--mantine-color-error)" />}
          >
            <InlineLink to={`${failed}&agent=${each.workflow_id}`}>
              {counted(each.count, "failed run")}
            </InlineLink>{" "}
            of {nameOf(`agent:${each.workflow_id}`)}
          </Item>
        ))}
        {others.length > 0 && (
          <Item icon={<IconAlertTriangle size={18} color="var(--mantine-color-error)" />}>
            <Anchor
              component={Link}
              inherit
              to={others.length === 1 ? `${failed}&agent=${others[0]!.workflow_id}` : failed}
            >
              {counted(
                others.reduce((sum, each) => sum + each.count, 0),
                "failed run",
              )}
            </Anchor>{" "}
            of {list.format(names)}
          </Item>
        )}
        {failing.length > 0 && (
          <Item icon={<IconWebhook size={18} color="var(--mantine-color-error)" />}>
            <TextLink to={`webhooks/endpoints${failing.length === 1 ? `/${failing[0]!.id}` : ""}`}>
              {counted(failing.length, "webhook endpoint")}
            </TextLink>{" "}
            {failing.length === 1 ? "is" : "are"} failing
          </Item>
        )}
      </List>
    </Card>
  );
}

function Item({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <List.Item icon={<span aria-hidden>{icon}</span>} styles={{ itemIcon: { display: "flex" } }}>
      {children}
    </List.Item>
  );
}

interface TicketItemProps {
  to: string;
  number: number;
  overdue?: boolean;
  kind?: string;
  children: string;
}

function TicketItem({ to, number, overdue = false, kind = "overdue ticket", children }: TicketItemProps) {
  if (number === 0) {
    return null;
  }
  return (
    <Item
      icon={
        overdue ? (
          <IconClockExclamation size={18} color="var(--mantine-color-error)" />
        ) : (
          <IconInbox size={18} />
        )
      }
    >
      <InlineLink to={to}>{counted(number, kind)}</InlineLink> {children}
    </Item>
  );
}
