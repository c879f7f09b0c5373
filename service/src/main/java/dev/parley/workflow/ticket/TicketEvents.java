package dev.parley.workflow.ticket;

import dev.parley.db.Database;
import dev.parley.event.EventLog;
import dev.parley.event.EventType;
import dev.parley.event.NewEvent;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.ticket.store.Ticket;
import dev.parley.workflow.ticket.store.TicketOrigin;
import dev.parley.workflow.ticket.store.TicketStore;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events of tickets. They contain the ticket as in lists: comments, forms and answers are visible only to users
 * with access to the ticket, while a conversation's events have other readers. The arguments of an approved tool call
 * are included, as in the attempts of the run, which these readers may read.
 */
@Singleton
public final class TicketEvents {
    private final Database database;
    private final TicketStore statements;
    private final EventLog log;

    public TicketEvents(Database database, EventLog log) {
        this.database = database;
        this.statements = database.statements(TicketStore.class);
        this.log = log;
    }

    /** The event of a ticket as the transaction sees it; empty if it has no subscribers. */
    public Optional<NewEvent> of(
            OrganizationId organization,
            @Nullable ConversationId conversation,
            WorkflowInstanceId instance,
            TicketId id,
            EventType type) {
        if (!log.hasSubscribers(organization, conversation, instance, type)) {
            return Optional.empty();
        }
        return statements.ticket(organization, id).map(ticket -> event(organization, ticket, type));
    }

    private static NewEvent event(OrganizationId organization, Ticket ticket, EventType type) {
        TicketOrigin origin = ticket.origin();
        return new NewEvent(
                organization,
                origin.conversationId(),
                origin.workflowInstanceId(),
                type,
                ticket.updatedAt(),
                StrictJson.write(ticket));
    }

    /** Publishes that a user changed a ticket, at the end of the change's transaction. */
    void updated(OrganizationId organization, Ticket ticket) {
        TicketOrigin origin = ticket.origin();
        EventType type = EventType.TICKET_UPDATED;
        if (log.hasSubscribers(organization, origin.conversationId(), origin.workflowInstanceId(), type)) {
            database.change(handle -> {
                try {
                    var _ = log.append(handle.getConnection(), List.of(event(organization, ticket, type)));
                } catch (SQLException e) {
                    throw Database.translate(e);
                }
            });
        }
    }
}
