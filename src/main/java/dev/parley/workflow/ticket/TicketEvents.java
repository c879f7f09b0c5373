package dev.parley.workflow.ticket;

import dev.parley.db.Database;
import dev.parley.event.EventLog;
import dev.parley.event.EventType;
import dev.parley.event.NewEvent;
import dev.parley.http.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.WorkflowInstanceId;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The events of tickets. They contain the ticket as in lists: comments, forms and answers are visible only to users
 * with access to the ticket, while a conversation's events have other readers. The arguments of an approved tool call
 * are included, as in the attempts of the run, which these readers may read.
 */
@Singleton
public final class TicketEvents {
    private final EventLog log;

    public TicketEvents(EventLog log) {
        this.log = log;
    }

    /** The event of a ticket as the transaction sees it; empty if it has no subscribers. */
    public Optional<NewEvent> of(
            Handle handle,
            OrganizationId organization,
            @Nullable ConversationId conversation,
            WorkflowInstanceId instance,
            TicketId id,
            EventType type) {
        if (!log.hasSubscribers(organization, conversation, instance, type)) {
            return Optional.empty();
        }
        return handle.createQuery("""
                        SELECT %s FROM ticket t WHERE t.organization_id = :organization AND t.id = :id""".formatted(TicketRows.COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .map(TicketRows::ticket)
                .findOne()
                .map(ticket -> new NewEvent(
                        organization, conversation, instance, type, ticket.updatedAt(), StrictJson.write(ticket)));
    }

    /** Publishes that a person changed a ticket, at the end of the change's transaction. */
    void updated(Handle handle, OrganizationId organization, Ticket ticket) {
        TicketOrigin origin = ticket.origin();
        Optional<NewEvent> event = of(
                handle,
                organization,
                origin.conversationId(),
                origin.workflowInstanceId(),
                ticket.id(),
                EventType.TICKET_UPDATED);
        if (event.isPresent()) {
            try {
                var _ = log.append(handle.getConnection(), List.of(event.get()));
            } catch (SQLException e) {
                throw Database.translate(e);
            }
        }
    }
}
