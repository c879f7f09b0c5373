package dev.parley.workflow.instance.run;

import dev.parley.event.EventType;
import dev.parley.event.NewEvent;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.workflow.attempt.RedactedText;
import dev.parley.workflow.attempt.core.CallDecision;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.ticket.TicketEvents;
import dev.parley.workflow.ticket.TicketService;
import dev.parley.workflow.ticket.store.ExceptionDetails;
import dev.parley.workflow.ticket.store.FormField;
import dev.parley.workflow.ticket.store.NewTicket;
import dev.parley.workflow.ticket.store.TicketAssignee;
import dev.parley.workflow.ticket.store.TicketOrigin;
import dev.parley.workflow.ticket.store.ToolCallDetails;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Opens and closes the tickets of instances, in the thread's transaction, which is that of the change. */
@Singleton
public final class InstanceTickets {
    private final TicketService tickets;
    private final TicketEvents events;

    public InstanceTickets(TicketService tickets, TicketEvents events) {
        this.tickets = tickets;
        this.events = events;
    }

    TicketService.Opened open(InstanceHeader header, InstanceState state, Effect.OpenTicket open) {
        Task task = state.plan().task(state.plan().number(open.task()));
        TaskError error = open.error();
        PendingToolCall call = open.call();
        var ticket = new NewTicket(
                new TicketOrigin(
                        header.workflow(),
                        header.workflowVersion(),
                        state.plan().definition().name(),
                        header.id(),
                        header.conversation(),
                        open.task().value(),
                        task.name(),
                        open.item(),
                        open.attempt(),
                        header.testRun()),
                open.kind(),
                assignees(header, open),
                open.title(),
                open.description(),
                Stream.concat(
                                open.form().outputs().stream().map(FormField::of),
                                open.form().inputs().stream().map(FormField::of))
                        .toList(),
                open.shown().values(),
                error == null ? null : new ExceptionDetails(error.error(), error.detail()),
                open.dueAt(),
                call == null ? null : new ToolCallDetails(call.toolId(), call.tool(), null, null));
        return tickets.open(header.organization(), ticket, state.updatedAt());
    }

    /** The assignees of the definition; of a test run also the person who started it, who may be none of them. */
    private static List<TicketAssignee> assignees(InstanceHeader header, Effect.OpenTicket open) {
        Optional<UserId> tester = header.testRun() ? UserId.ofAuthor(header.createdBy()) : Optional.empty();
        return Stream.concat(open.assignees().stream().map(TicketAssignee::of), tester.map(TicketAssignee::of).stream())
                .distinct()
                .toList();
    }

    /** The event of a ticket that was just opened or closed; empty if it has no subscribers. */
    Optional<NewEvent> event(InstanceHeader header, TicketId ticket, EventType type) {
        return events.of(header.organization(), header.conversation(), header.id(), ticket, type);
    }

    /** Ends the ticket and returns its id; empty if none was open. */
    Optional<TicketId> close(InstanceHeader header, InstanceState state, Effect.CloseTicket close) {
        return tickets.close(
                header.organization(),
                header.id(),
                close.task(),
                close.attempt(),
                close.end(),
                close.by(),
                close.answer(),
                close.reason(),
                close.call() == null ? null : approved(close.call()),
                state.updatedAt());
    }

    /** The approved call with the arguments that the tool gets, as every reader of the ticket sees them. */
    private static ToolCallDetails approved(PendingToolCall call) {
        CallDecision decision = Objects.requireNonNull(call.decision());
        return new ToolCallDetails(
                call.toolId(),
                call.tool(),
                RedactedText.ofTree(decision.arguments(), RedactedText.MAX_ARGUMENTS_LENGTH),
                call.edited() != null);
    }
}
