import { Anchor, Card, List, Title } from "@mantine/core";
import { IconAlertTriangle, IconClockExclamation, IconInbox, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useActorName } from "../../api/organization";
import { isFailing, useEndpoints } from "../webhooks/endpointQueries";

interface Props {
  orgId: string;
  /** The period, for the links. */
  hours: string;
  failedRuns: Schemas["FailedRuns"][];
}

/** Agents with failed runs that are listed one by one. */
const MAX_AGENTS = 4;

/** Open tickets, agents with failed runs and failing webhook endpoints; hidden if there are none. */
export function Attention({ orgId, hours, failedRuns }: Props) {
  const nameOf = useActorName();
  const open = useTicketCount(orgId, {});
  const overdue = useTicketCount(orgId, { overdue: "true" });
  const tickets = open.data?.count ?? 0;
  const late = overdue.data?.count ?? 0;
  const failing = useEndpoints(orgId).data?.items.filter(isFailing) ?? [];
  if (tickets + failedRuns.length + failing.length === 0) {
    return null;
  }
  const base = `/organizations/${orgId}`;
  const failed = `${base}/runs?hours=${hours}&status=FAILED`;
  const others = failedRuns.slice(MAX_AGENTS);
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="attention">
      <Title order={2} size="h4" mb="sm" id="attention">
        Needs attention
      </Title>
      <List spacing={8} center listStyleType="none" lh={1.45}>
        {late > 0 && (
          <Item icon={<IconClockExclamation size={18} color="var(--mantine-color-error)" />}>
            <Anchor component={Link} inherit to={`${base}/tickets?overdue=true&sort=due`}>
              {count(late, "overdue ticket")}
            </Anchor>{" "}
            for you or your teams
          </Item>
        )}
        {tickets > late && (
          <Item icon={<IconInbox size={18} />}>
            <Anchor component={Link} inherit to={`${base}/tickets`}>
              {count(tickets, "open ticket")}
            </Anchor>{" "}
            for you or your teams
          </Item>
        )}
        {failedRuns.slice(0, MAX_AGENTS).map((each) => (
          <Item
            key={each.workflow_id}
            icon={<IconAlertTriangle size={18} color="var(--mantine-color-error)" />}
          >
            <Anchor component={Link} inherit to={`${failed}&agent=${each.workflow_id}`}>
              {count(each.count, "failed run")}
            </Anchor>{" "}
            of {nameOf(`agent:${each.workflow_id}`)}
          </Item>
        ))}
        {others.length > 0 && (
          <Item icon={<IconAlertTriangle size={18} color="var(--mantine-color-error)" />}>
            <Anchor component={Link} inherit to={failed}>
              {count(
                others.reduce((sum, each) => sum + each.count, 0),
                "failed run",
              )}
            </Anchor>{" "}
            of {count(others.length, "other agent")}
          </Item>
        )}
        {failing.length > 0 && (
          <Item icon={<IconWebhook size={18} color="var(--mantine-color-error)" />}>
            <Anchor
              component={Link}
              inherit
              to={`${base}/webhooks/endpoints${failing.length === 1 ? `/${failing[0]!.id}` : ""}`}
            >
              {count(failing.length, "webhook endpoint")}
            </Anchor>{" "}
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

/** The open tickets that the person can claim or has claimed, without those of test runs. */
function useTicketCount(orgId: string, filter: { overdue?: string }) {
  const query = { assignee: "mine", available: true, test_run: false, ...filter } as const;
  return useQuery({
    queryKey: ["organization", orgId, "tickets", "count", query],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets/count", { params: { path: { orgId }, query } }),
      ),
    refetchInterval: 15_000,
  });
}

const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? "" : "s"}`;
