package dev.parley.workflow.instance.core;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.plan.WorkItem;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.WaitingReason;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Answers and rejections of people. They first resume an instance that waited for them. */
final class PersonActions {
    private PersonActions() {}

    static TransitionResult apply(NextState next, InstanceEvent.PersonAction action) {
        return switch (action) {
            case InstanceEvent.UserReplied reply -> replied(next, reply);
            case InstanceEvent.TicketActionEvent ticket -> ticket(next, ticket);
        };
    }

    private static TransitionResult ticket(NextState next, InstanceEvent.TicketActionEvent action) {
        if (!next.plan().has(action.task())) {
            return next.refuse("The workflow has no task '" + action.task() + "'.");
        }
        WorkItem item = next.withAttempt(next.plan().number(action.task()), action.attempt());
        WaitingReason reason = item == null ? null : next.state(item).waitingFor();
        if (item == null || reason == null || !TaskScheduler.hasTicket(next, next.state(item))) {
            return next.refuse("The ticket of task '" + action.task() + "' is no longer open.");
        }
        boolean exception = reason == WaitingReason.EXCEPTION_TICKET;
        return switch (action) {
            case InstanceEvent.TicketCompleted done
            when reason == WaitingReason.USER_INPUT -> inputsGiven(next, item, done);
            case InstanceEvent.TicketCompleted done
            when reason == WaitingReason.TOOL_APPROVAL -> ToolApprovals.approved(next, item, done);
            case InstanceEvent.TicketRejected no
            when reason == WaitingReason.TOOL_APPROVAL -> ToolApprovals.rejected(next, item, no);
            case InstanceEvent.TicketCompleted done -> outputsGiven(next, item, done.answer(), done.by());
            case InstanceEvent.ExceptionSupplied done
            when exception -> outputsGiven(next, item, done.outputs(), done.by());
            case InstanceEvent.TicketRejected no when exception -> raised(next, item, no.reason(), no.by());
            case InstanceEvent.ExceptionRaised no when exception -> raised(next, item, no.reason(), no.by());
            case InstanceEvent.TicketRejected no -> rejected(next, item, no);
            case InstanceEvent.ExceptionRetry again when exception -> retried(next, item, again.by());
            case InstanceEvent.ExceptionSupplied _, InstanceEvent.ExceptionRaised _, InstanceEvent.ExceptionRetry _ ->
                next.refuse("The ticket of task '" + action.task() + "' is not about an exception.");
        };
    }

    private static TransitionResult outputsGiven(
            NextState next, WorkItem item, Map<String, @Nullable Object> given, String by) {
        if (!TaskFailures.maySupplyOutputs(next, item)) {
            return next.refuse("The task runs for each item, so that its outputs cannot be supplied as a whole.");
        }
        Task task = next.plan().task(item.task());
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> outputs =
                ValueRules.outputs(task.expectedOutput(), given, JsonPointer.ROOT.to("answer"), violations);
        if (!violations.isEmpty()) {
            return next.refuse(detail(violations));
        }
        TaskScheduler.resumeForPerson(next);
        close(next, item, TicketEnd.COMPLETED, by, outputs, null);
        // Outputs supplied for a task that failed are final, also those of a task that repeats.
        if (next.state(item).waitingFor() == WaitingReason.EXCEPTION_TICKET) {
            TaskScheduler.complete(next, item, outputs);
        } else {
            TaskScheduler.succeed(next, item, outputs);
        }
        return settled(next);
    }

    private static TransitionResult rejected(NextState next, WorkItem item, InstanceEvent.TicketRejected no) {
        TaskScheduler.resumeForPerson(next);
        close(next, item, TaskFailures.endOfRejected(next, item), no.by(), null, no.reason());
        TaskFailures.rejected(next, item, new TaskError("Rejected", no.reason(), false));
        return settled(next);
    }

    /** The person raises the exception: the task's own error stays the title, and the reason is the detail. */
    private static TransitionResult raised(NextState next, WorkItem item, String reason, String by) {
        TaskScheduler.resumeForPerson(next);
        close(next, item, TicketEnd.REJECTED, by, null, reason);
        TaskError error = next.state(item).error();
        TaskError raised = error == null
                ? new TaskError("Raised", reason, false)
                : new TaskError(
                        error.error(), reason.isBlank() ? error.detail() : error.detail() + "\n" + reason, false);
        next.set(item, next.state(item).failed(raised, next.now()));
        return settled(next);
    }

    private static TransitionResult retried(NextState next, WorkItem item, String by) {
        TaskScheduler.resumeForPerson(next);
        retry(next, item, by);
        return settled(next);
    }

    /** Starts a new run with automatic retries of its own. Retries spent by the RETRY policy stay spent. */
    static void retry(NextState next, WorkItem item, String by) {
        close(next, item, TicketEnd.RETRIED, by, null, null);
        next.set(item, next.state(item).newRun(0));
        TaskScheduler.beginOrHold(next, item);
    }

    private static TransitionResult inputsGiven(NextState next, WorkItem item, InstanceEvent.TicketCompleted done) {
        List<Violation> violations =
                new ArrayList<>(InputResolver.check(next.plan(), done.answer(), JsonPointer.ROOT.to("answer")));
        for (InputParameter input : next.humanValues().missing(item.task())) {
            if (!done.answer().containsKey(input.name())) {
                violations.add(Violation.missing(
                        JsonPointer.ROOT.to("answer").to(input.name()).toString()));
            }
        }
        if (!violations.isEmpty()) {
            return next.refuse(detail(violations));
        }
        TaskScheduler.resumeForPerson(next);
        next.answer(done.answer());
        beginAnswered(next, done.by());
        return settled(next);
    }

    /**
     * The user's reply in the conversation. An invalid reply cannot be rejected, because the message is already
     * accepted: the question is asked again, with the reason.
     */
    private static TransitionResult replied(NextState next, InstanceEvent.UserReplied reply) {
        List<InputParameter> open = next.hasConversation() ? InputRequests.open(next) : List.of();
        if (open.isEmpty()) {
            return next.refuse("The instance does not ask for anything.");
        }
        Map<String, @Nullable Object> values = reply.values();
        if (values.isEmpty()) {
            values = new LinkedHashMap<>();
            values.put(open.getFirst().name(), reply.text());
        }
        List<Violation> violations = InputResolver.check(next.plan(), values, JsonPointer.ROOT);
        if (!violations.isEmpty()) {
            InputRequests.askAgain(next, violations);
            return next.decide();
        }
        TaskScheduler.resumeForPerson(next);
        next.answer(values);
        beginAnswered(next, "user");
        InputRequests.askAgain(next, List.of());
        return settled(next);
    }

    /** Starts every task whose inputs are now complete. One value may serve several tasks. */
    private static void beginAnswered(NextState next, String by) {
        for (int task : InputRequests.waiting(next)) {
            if (next.humanValues().missing(task).isEmpty()) {
                if (TaskScheduler.hasTicket(next, next.task(task))) {
                    close(next, WorkItem.ofTask(task), TicketEnd.COMPLETED, by, inputsOf(next, task), null);
                }
                TaskScheduler.beginOrHold(next, WorkItem.ofTask(task));
            }
        }
    }

    private static Map<String, @Nullable Object> inputsOf(NextState next, int task) {
        Map<String, @Nullable Object> answer =
                new LinkedHashMap<>(next.humanValues().answers());
        answer.keySet()
                .retainAll(next.plan().task(task).inputParameters().stream()
                        .map(InputParameter::name)
                        .collect(Collectors.toSet()));
        return answer;
    }

    static void close(
            NextState next,
            WorkItem item,
            TicketEnd end,
            String by,
            @Nullable Map<String, @Nullable Object> answer,
            @Nullable String reason) {
        next.emit(new Effect.CloseTicket(next.id(item.task()), next.state(item).attempt(), end, by, answer, reason));
    }

    private static TransitionResult settled(NextState next) {
        TaskScheduler.settle(next);
        return next.decide();
    }

    static String detail(List<Violation> violations) {
        return violations.stream()
                .map(violation -> "'" + violation.field() + "': " + violation.detail())
                .collect(Collectors.joining(" "));
    }
}
