package dev.parley.workflow.instance.run;

import dev.parley.event.EventType;
import dev.parley.event.NewEvent;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.instance.core.Effect;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.core.Rejection;
import dev.parley.workflow.instance.core.TaskError;
import dev.parley.workflow.instance.core.TransitionResult;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.ticket.ExceptionDetails;
import dev.parley.workflow.ticket.FormField;
import dev.parley.workflow.ticket.NewTicket;
import dev.parley.workflow.ticket.TicketAction;
import dev.parley.workflow.ticket.TicketActions;
import dev.parley.workflow.ticket.TicketAssignee;
import dev.parley.workflow.ticket.TicketEvents;
import dev.parley.workflow.ticket.TicketOrigin;
import dev.parley.workflow.ticket.TicketStore;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** Between the engine and the tickets: opens and closes them with a change, and brings people's answers back. */
@Singleton
public final class InstanceTickets implements TicketActions {
    private final TicketStore tickets;
    private final TicketEvents events;
    private final OutputFiles files;
    private final Instance<Engine> engine;

    public InstanceTickets(TicketStore tickets, TicketEvents events, OutputFiles files, Instance<Engine> engine) {
        this.tickets = tickets;
        this.events = events;
        this.files = files;
        this.engine = engine;
    }

    TicketStore.Opened open(Handle handle, InstanceHeader header, InstanceState state, Effect.OpenTicket open) {
        Task task = state.plan().task(state.plan().number(open.task()));
        TaskError error = open.error();
        var ticket = new NewTicket(
                new TicketOrigin(
                        header.workflow(),
                        header.workflowVersion(),
                        state.plan().definition().name(),
                        header.id(),
                        header.conversation(),
                        open.task().value(),
                        task.name(),
                        open.attempt()),
                open.kind(),
                open.assignees().stream().map(TicketAssignee::of).toList(),
                open.title(),
                open.description(),
                Stream.concat(
                                open.form().outputs().stream().map(FormField::of),
                                open.form().inputs().stream().map(FormField::of))
                        .toList(),
                open.shown().values(),
                error == null ? null : new ExceptionDetails(error.error(), error.detail()),
                open.dueAt());
        return tickets.open(handle, header.organization(), ticket, state.updatedAt());
    }

    /** What tells of a ticket that was just opened or closed; empty when nobody wants to know. */
    Optional<NewEvent> event(Handle handle, InstanceHeader header, TicketId ticket, EventType type) {
        return events.of(handle, header.organization(), header.conversation(), header.id(), ticket, type);
    }

    /** Ends the ticket and names it; empty when none was open. */
    Optional<TicketId> close(Handle handle, InstanceHeader header, InstanceState state, Effect.CloseTicket close) {
        return tickets.close(
                handle,
                header.organization(),
                header.id(),
                close.task(),
                close.attempt(),
                close.end(),
                close.by(),
                close.answer(),
                close.reason(),
                state.updatedAt());
    }

    @Override
    public ActionResult act(OrganizationId organization, WorkflowInstanceId instance, TicketAction action) {
        List<Violation> faults = new ArrayList<>();
        TicketAction whole = action instanceof TicketAction.Complete complete
                ? withFiles(organization, instance, complete, faults)
                : action;
        if (!faults.isEmpty()) {
            return new Invalid(faults);
        }
        TransitionResult outcome;
        try {
            outcome = engine.get()
                    .apply(organization, instance, event(whole), null)
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof ApiProblem problem ? problem : e;
        }
        return outcome instanceof Rejection refusal
                ? new ActionRejected(refusal.status().name(), refusal.detail())
                : new Done();
    }

    /** The answer with its files moved to the media storage, as those of other tasks are (specification 2.4.1). */
    private TicketAction withFiles(
            OrganizationId organization,
            WorkflowInstanceId instance,
            TicketAction.Complete complete,
            List<Violation> faults) {
        Optional<StoredInstance> found = engine.get().find(organization, instance);
        Task task = found.map(one -> one.state().plan().task(complete.task())).orElse(null);
        if (found.isEmpty() || task == null) {
            return complete;
        }
        try {
            return new TicketAction.Complete(
                    complete.task(),
                    complete.attempt(),
                    complete.ruleType(),
                    files.moved(found.get().header(), task, complete.answer(), faults),
                    complete.by());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw ApiProblem.unavailable("The file could not be moved; nothing was changed.", Duration.ofSeconds(1));
        }
    }

    private static InstanceEvent event(TicketAction action) {
        boolean exception = action.ruleType() == RuleType.EXCEPTION;
        return switch (action) {
            case TicketAction.Complete complete ->
                exception
                        ? new InstanceEvent.ExceptionSupplied(
                                complete.task(), complete.attempt(), complete.answer(), complete.by())
                        : new InstanceEvent.TicketCompleted(
                                complete.task(), complete.attempt(), complete.answer(), complete.by());
            case TicketAction.Reject reject ->
                exception
                        ? new InstanceEvent.ExceptionRaised(
                                reject.task(), reject.attempt(), reject.reason(), reject.by())
                        : new InstanceEvent.TicketRejected(
                                reject.task(), reject.attempt(), reject.reason(), reject.by());
            case TicketAction.RetryTask retry ->
                new InstanceEvent.ExceptionRetry(retry.task(), retry.attempt(), retry.by());
        };
    }
}
