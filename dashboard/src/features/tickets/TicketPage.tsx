import { Anchor, Card, Grid, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useActorName, useOrganizationId } from "../../api/organization";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { ValueList } from "../../components/ValueList";
import { TicketHistory } from "./TicketHistory";
import { TicketWork } from "./TicketWork";
import { useAssigneeNames } from "./useAssigneeNames";

export default function TicketPage() {
  const orgId = useOrganizationId();
  const { ticketId = "" } = useParams();
  const ticket = useQuery({
    queryKey: ["organization", orgId, "tickets", "one", ticketId],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets/{ticketId}", {
          params: { path: { orgId, ticketId } },
        }),
      ),
    refetchInterval: 10_000,
  });
  return (
    <QueryBoundary query={ticket}>
      {(found) => (
        <Page
          title={`#${found.number} ${found.title}`}
          back={{ to: `/organizations/${orgId}/tickets`, label: "Tickets" }}
          badge={<StatusLabel status={found.status} />}
        >
          <Grid gap="xl">
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Stack gap="lg">
                {found.description && <Text style={{ whiteSpace: "pre-wrap" }}>{found.description}</Text>}
                <Given ticket={found} />
                <TicketWork orgId={orgId} ticket={found} />
                <TicketHistory orgId={orgId} ticket={found} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Facts orgId={orgId} ticket={found} />
            </Grid.Col>
          </Grid>
        </Page>
      )}
    </QueryBoundary>
  );
}

/** The task's inputs, and the error of a failed task. */
function Given({ ticket }: { ticket: Schemas["TicketDetails"] }) {
  const inputs = Object.entries(ticket.inputs ?? {});
  return (
    <>
      {ticket.exception && (
        <Card withBorder>
          <Title order={2} size="h5" c="var(--mantine-color-error)">
            {ticket.exception.error}
          </Title>
          <Text size="sm" mt={4} style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {ticket.exception.detail}
          </Text>
        </Card>
      )}
      {inputs.length > 0 && (
        <Card withBorder>
          <ValueList values={Object.fromEntries(inputs)} />
        </Card>
      )}
    </>
  );
}

function Facts({ orgId, ticket }: { orgId: string; ticket: Schemas["TicketDetails"] }) {
  const nameOf = useActorName();
  const assignees = useAssigneeNames(orgId);
  const base = `/organizations/${orgId}`;
  const rows = [
    ["Assigned to", assignees(ticket.assignments)],
    ["Claimed by", ticket.claimed_by ? nameOf(ticket.claimed_by) : "Nobody"],
    ["Opened", <Time key="at" at={ticket.created_at} />],
    ...(ticket.due_at ? [["Due", <Time key="at" at={ticket.due_at} />]] : []),
    ...(ticket.resolved_at ? [["Resolved", <Time key="at" at={ticket.resolved_at} />]] : []),
    ...(ticket.replaced_by
      ? [
          [
            "Replaced by",
            <Anchor key="to" component={Link} inherit to={`${base}/tickets/${ticket.replaced_by}`}>
              Open new ticket
            </Anchor>,
          ],
        ]
      : []),
    ...(ticket.replaces
      ? [
          [
            "Replaces",
            <Anchor key="to" component={Link} inherit to={`${base}/tickets/${ticket.replaces}`}>
              Open rejected ticket
            </Anchor>,
          ],
        ]
      : []),
    ["Task", ticket.task_name],
    [
      "Agent",
      <Anchor key="to" component={Link} inherit to={`${base}/agents/${ticket.workflow_id}`}>
        {ticket.workflow_name}
      </Anchor>,
    ],
    [
      "Run",
      <Anchor key="to" component={Link} inherit to={`${base}/runs/${ticket.workflow_instance_id}`}>
        Open run
      </Anchor>,
    ],
    ...(ticket.conversation_id
      ? [
          [
            "Conversation",
            <Anchor key="to" component={Link} inherit to={`${base}/conversations/${ticket.conversation_id}`}>
              Open conversation
            </Anchor>,
          ],
        ]
      : []),
  ];
  return (
    <Card withBorder component="aside" aria-label="Ticket details">
      <Stack gap="xs">
        {rows.map(([label, value]) => (
          <Group key={String(label)} justify="space-between" wrap="nowrap" align="flex-start">
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <Text size="sm" ta="right" component="div">
              {value}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
