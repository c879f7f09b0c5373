package dev.parley.workflow.instance.run;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.event.EventLog;
import dev.parley.event.EventType;
import dev.parley.event.NewEvent;
import dev.parley.http.json.StrictJson;
import dev.parley.id.TicketId;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.view.InstanceView;
import dev.parley.workflow.instance.view.InstanceView.InstanceDetails;
import dev.parley.workflow.instance.view.InstanceViews;
import dev.parley.workflow.ticket.TicketService;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Publishes an event for each status step of an instance that has subscribers. */
@Singleton
public final class StatusEvents {
    private final EventLog log;
    private final TicketService tickets;

    public StatusEvents(EventLog log, TicketService tickets) {
        this.log = log;
        this.tickets = tickets;
    }

    /** The data of {@code workflow_instance.status_changed}: the instance after the step. */
    @Schema(name = "WorkflowInstanceStatusChange")
    public record StatusChangeEvent(
            @JsonUnwrapped InstanceView instance,

            @Schema(description = "The previous status; null if the instance has just started.") @Nullable
            InstanceStatus previousStatus) {}

    public boolean wants(InstanceChange change) {
        InstanceHeader header = change.header();
        return !change.steps().isEmpty()
                && log.hasSubscribers(
                        header.organization(), header.conversation(), header.id(), EventType.INSTANCE_STATUS_CHANGED);
    }

    /** The events of a change's steps in order, with the instance as its transaction sees it. */
    public List<NewEvent> of(Handle handle, InstanceChange change) {
        if (!wants(change)) {
            return List.of();
        }
        InstanceHeader header = change.header();
        Map<TaskId, TicketId> ticketIds = InstanceViews.mayHaveTickets(change.state())
                ? tickets.ofInstance(header.organization(), header.id())
                : Map.of();
        InstanceView view = InstanceView.of(change.after(), InstanceDetails.ofTickets(ticketIds));
        List<NewEvent> events = new ArrayList<>();
        for (Effect.StatusChanged step : change.steps()) {
            events.add(new NewEvent(
                    header.organization(),
                    header.conversation(),
                    header.id(),
                    EventType.INSTANCE_STATUS_CHANGED,
                    step.at(),
                    StrictJson.write(new StatusChangeEvent(view.atStep(step.to(), step.at()), step.from()))));
        }
        return events;
    }

    /** Appends events to the log. Call once per transaction, at its end. */
    public void append(Connection tx, List<NewEvent> events) throws SQLException {
        if (!events.isEmpty()) {
            var _ = log.append(tx, events);
        }
    }
}
