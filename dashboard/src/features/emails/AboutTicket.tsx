import { Anchor, Card, Group } from "@mantine/core";
import { PageLink } from "../../components/PageLink";
import { useTicket } from "../../api";
import { Dimmed } from "../../components/variants";
import { Time } from "../../components/Time";
import { isRetried } from "../tickets/ticketState";
import { TicketStatus } from "../tickets/TicketStatus";

/** The ticket as it is now; the email shows it as it was. */
export function AboutTicket({ ticketId }: { ticketId: string }) {
  const { data: ticket } = useTicket(ticketId);
  if (!ticket) {
    return null;
  }
  return (
    <Card withBorder padding="sm">
      <Group gap="sm">
        <Anchor component={PageLink} to={`tickets/${ticketId}`} size="sm" fw={600}>
          #{ticket.number} {ticket.title}
        </Anchor>
        <TicketStatus ticket={{ ...ticket, retried: isRetried(ticket) }} />
        {ticket.due_at && (
          <Dimmed>
            Due <Time at={ticket.due_at} />
          </Dimmed>
        )}
      </Group>
    </Card>
  );
}
