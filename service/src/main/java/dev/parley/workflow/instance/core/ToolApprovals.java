package dev.parley.workflow.instance.core;

import dev.parley.workflow.attempt.core.CallDecision;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TaskInputs;
import dev.parley.workflow.instance.core.event.TicketForm;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.plan.WorkItem;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets people approve or reject tool calls of models. The task then runs on, as the next attempt of the same run. */
public final class ToolApprovals {
    /** The field of the ticket's form. */
    public static final String ARGUMENTS = "arguments";

    private static final InputParameter FIELD = new InputParameter(
            ARGUMENTS,
            ValueType.OBJECT,
            "The arguments of the call, if they should differ from those that the model requested.",
            false,
            InputSource.HUMAN_INPUT,
            null,
            List.of(),
            null,
            DataSource.MEMORY);

    private ToolApprovals() {}

    static void request(NextState next, WorkItem item, PendingToolCall call) {
        Task task = next.plan().task(item.task());
        next.set(item, next.state(item).waitingForApproval(call, next.now()));
        next.emit(new Effect.OpenTicket(
                task.id(),
                next.state(item).attempt(),
                item.itemIndex(),
                RuleType.HUMAN_FEEDBACK,
                next.plan().rules(RuleType.HUMAN_FEEDBACK),
                "Approve " + call.tool() + " in " + TaskScheduler.title(next, item, task),
                task.instructions(),
                new TicketForm(List.of(), List.of(FIELD)),
                new TaskInputs(call.arguments(), Map.of()),
                null,
                null,
                call));
    }

    static TransitionResult approved(NextState next, WorkItem item, InstanceEvent.TicketCompleted done) {
        PendingToolCall call = Objects.requireNonNull(next.state(item).call());
        Map<String, @Nullable Object> arguments = call.arguments();
        Object edited = done.answer().get(ARGUMENTS);
        if (edited instanceof Map<?, ?> members) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            members.forEach((name, value) -> values.put(String.valueOf(name), value));
            arguments = values;
        } else if (edited != null) {
            return next.refuse("'arguments' must be an object.");
        }
        TaskScheduler.resumeForPerson(next);
        var decision = new CallDecision(true, arguments, null, done.by(), next.now());
        next.emit(new Effect.CloseTicket(
                next.id(item.task()),
                next.state(item).attempt(),
                TicketEnd.CALL_APPROVED,
                done.by(),
                Map.of(ARGUMENTS, arguments),
                null,
                call.with(decision)));
        return decided(next, item, decision);
    }

    static TransitionResult rejected(NextState next, WorkItem item, InstanceEvent.TicketRejected no) {
        TaskScheduler.resumeForPerson(next);
        PersonActions.close(next, item, TicketEnd.CALL_REJECTED, no.by(), null, no.reason());
        return decided(next, item, new CallDecision(false, Map.of(), no.reason(), no.by(), next.now()));
    }

    private static TransitionResult decided(NextState next, WorkItem item, CallDecision decision) {
        next.set(item, next.state(item).decided(decision));
        TaskScheduler.beginOrHold(next, item);
        TaskScheduler.settle(next);
        return next.decide();
    }
}
