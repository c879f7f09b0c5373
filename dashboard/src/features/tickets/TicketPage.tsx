import { Anchor, Card, Grid, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { api, ask, type Schemas } from "../../api/client";
import { useActorName, useOrganizationId } from "../../api/organization";
import { Loaded } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { Time } from "../../parts/Time";
import { Values } from "../../parts/values";
import { TicketHistory } from "./TicketHistory";
import { TicketWork } from "./TicketWork";
import { useAssigneeNames } from "./assignees";

export default function TicketPage() {
  const orgId = useOrganizationId();
  const { ticketId = "" } = useParams();
  const ticket = useQuery({
    queryKey: ["organization", orgId, "tickets", "one", ticketId],
    queryFn: () =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/tickets/{ticketId}", {
          params: { path: { orgId, ticketId } },
        }),
      ),
    refetchInterval: 10_000,
  });
  return (
    <Loaded query={ticket}>
      {(found) => (
        <Page
          title={`#${found.number} ${found.title}`}
          back={{ to: `/organizations/${orgId}/tickets`, label: "Tickets" }}
          badge={<Status of={found.status} />}
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
    </Loaded>
  );
}

/** What the person needs to know: the task's inputs, or why it failed. */
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
          <Values of={Object.fromEntries(inputs)} />
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
    ["Claimed by", ticket.claimed_by ? nameOf(ticket.claimed_by) : "nobody"],
    ["Opened", <Time key="at" at={ticket.created_at} />],
    ...(ticket.due_at ? [["Due", <Time key="at" at={ticket.due_at} />]] : []),
    ...(ticket.resolved_at ? [["Done", <Time key="at" at={ticket.resolved_at} />]] : []),
    ...(ticket.replaced_by
      ? [
          [
            "Replaced by",
            <Anchor key="to" component={Link} inherit to={`${base}/tickets/${ticket.replaced_by}`}>
              Show the new ticket
            </Anchor>,
          ],
        ]
      : []),
    ...(ticket.replaces
      ? [
          [
            "Replaces",
            <Anchor key="to" component={Link} inherit to={`${base}/tickets/${ticket.replaces}`}>
              Show the rejected ticket
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
        Show the run
      </Anchor>,
    ],
    ...(ticket.conversation_id
      ? [
          [
            "Conversation",
            <Anchor key="to" component={Link} inherit to={`${base}/conversations/${ticket.conversation_id}`}>
              Show the conversation
            </Anchor>,
          ],
        ]
      : []),
  ];
  return (
    <Card withBorder component="aside" aria-label="About this ticket">
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
