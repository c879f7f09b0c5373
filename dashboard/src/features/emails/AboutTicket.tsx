import { Anchor, Card, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, unwrap } from "../../api/client";
import { Time } from "../../components/Time";
import { isRetried } from "../tickets/ticketState";
import { TicketStatus } from "../tickets/TicketStatus";

/** The ticket as it is now; the email shows it as it was. */
export function AboutTicket({ orgId, ticketId }: { orgId: string; ticketId: string }) {
  const { data: ticket } = useQuery({
    queryKey: ["organization", orgId, "tickets", "one", ticketId],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets/{ticketId}", {
          params: { path: { orgId, ticketId } },
        }),
      ),
  });
  if (!ticket) {
    return null;
  }
  return (
    <Card withBorder padding="sm">
      <Group gap="sm">
        <Anchor component={Link} to={`/organizations/${orgId}/tickets/${ticketId}`} size="sm" fw={600}>
          #{ticket.number} {ticket.title}
        </Anchor>
        <TicketStatus ticket={{ ...ticket, retried: isRetried(ticket) }} />
        {ticket.due_at && (
          <Text size="sm" c="dimmed">
            Due <Time at={ticket.due_at} />
          </Text>
        )}
      </Group>
    </Card>
  );
}
