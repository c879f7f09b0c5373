package dev.parley.workflow.instance.core;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.InputParameter;
import dev.parley.workflow.definition.core.JsonPointer;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.ValueRules;
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

    static TransitionResult apply(NextState draft, InstanceEvent.PersonAction action) {
        return switch (action) {
            case InstanceEvent.UserReplied reply -> replied(draft, reply);
            case InstanceEvent.TicketActionEvent ticket -> ticket(draft, ticket);
        };
    }

    private static TransitionResult ticket(NextState draft, InstanceEvent.TicketActionEvent action) {
        if (!draft.plan().has(action.task())) {
            return draft.refuse("The workflow has no task '" + action.task() + "'.");
        }
        WorkItem item = draft.withAttempt(draft.plan().number(action.task()), action.attempt());
        WaitingReason reason = item == null ? null : draft.state(item).waitingFor();
        if (item == null || reason == null || !TaskScheduler.hasTicket(draft, draft.state(item))) {
            return draft.refuse("The ticket of task '" + action.task() + "' is no longer open.");
        }
        boolean exception = reason == WaitingReason.EXCEPTION_TICKET;
        return switch (action) {
            case InstanceEvent.TicketCompleted done
            when reason == WaitingReason.USER_INPUT -> inputsGiven(draft, item, done);
            case InstanceEvent.TicketCompleted done
            when reason == WaitingReason.TOOL_APPROVAL -> ToolApprovals.approved(draft, item, done);
            case InstanceEvent.TicketRejected no
            when reason == WaitingReason.TOOL_APPROVAL -> ToolApprovals.rejected(draft, item, no);
            case InstanceEvent.TicketCompleted done -> outputsGiven(draft, item, done.answer(), done.by());
            case InstanceEvent.ExceptionSupplied done
            when exception -> outputsGiven(draft, item, done.outputs(), done.by());
            case InstanceEvent.TicketRejected no when exception -> raised(draft, item, no.reason(), no.by());
            case InstanceEvent.ExceptionRaised no when exception -> raised(draft, item, no.reason(), no.by());
            case InstanceEvent.TicketRejected no -> rejected(draft, item, no);
            case InstanceEvent.ExceptionRetry again when exception -> retried(draft, item, again.by());
            case InstanceEvent.ExceptionSupplied _, InstanceEvent.ExceptionRaised _, InstanceEvent.ExceptionRetry _ ->
                draft.refuse("The ticket of task '" + action.task() + "' is not about an exception.");
        };
    }

    private static TransitionResult outputsGiven(
            NextState draft, WorkItem item, Map<String, @Nullable Object> given, String by) {
        if (!TaskFailures.maySupplyOutputs(draft, item)) {
            return draft.refuse("The task runs for each item, so that its outputs cannot be supplied as a whole.");
        }
        Task task = draft.plan().task(item.task());
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> outputs =
                ValueRules.outputs(task.expectedOutput(), given, JsonPointer.ROOT.to("answer"), violations);
        if (!violations.isEmpty()) {
            return draft.refuse(detail(violations));
        }
        TaskScheduler.resumeForPerson(draft);
        close(draft, item, TicketEnd.COMPLETED, by, outputs, null);
        // Outputs supplied for a task that failed are final, also those of a task that repeats.
        if (draft.state(item).waitingFor() == WaitingReason.EXCEPTION_TICKET) {
            TaskScheduler.complete(draft, item, outputs);
        } else {
            TaskScheduler.succeed(draft, item, outputs);
        }
        return settled(draft);
    }

    private static TransitionResult rejected(NextState draft, WorkItem item, InstanceEvent.TicketRejected no) {
        TaskScheduler.resumeForPerson(draft);
        close(draft, item, TaskFailures.endOfRejected(draft, item), no.by(), null, no.reason());
        TaskFailures.rejected(draft, item, new TaskError("Rejected", no.reason(), false));
        return settled(draft);
    }

    /** The person raises the exception: the task's own error stays the title, and the reason is the detail. */
    private static TransitionResult raised(NextState draft, WorkItem item, String reason, String by) {
        TaskScheduler.resumeForPerson(draft);
        close(draft, item, TicketEnd.REJECTED, by, null, reason);
        TaskError error = draft.state(item).error();
        TaskError raised = error == null
                ? new TaskError("Raised", reason, false)
                : new TaskError(
                        error.error(), reason.isBlank() ? error.detail() : error.detail() + " " + reason, false);
        draft.set(item, draft.state(item).failed(raised, draft.now()));
        return settled(draft);
    }

    private static TransitionResult retried(NextState draft, WorkItem item, String by) {
        TaskScheduler.resumeForPerson(draft);
        retry(draft, item, by);
        return settled(draft);
    }

    /** Starts a new run with automatic retries of its own. Retries spent by the RETRY policy stay spent. */
    static void retry(NextState draft, WorkItem item, String by) {
        close(draft, item, TicketEnd.RETRIED, by, null, null);
        draft.set(item, draft.state(item).newRun(0));
        TaskScheduler.go(draft, item);
    }

    private static TransitionResult inputsGiven(NextState draft, WorkItem item, InstanceEvent.TicketCompleted done) {
        List<Violation> violations =
                new ArrayList<>(InputResolver.check(draft.plan(), done.answer(), JsonPointer.ROOT.to("answer")));
        for (InputParameter input : draft.humanValues().missing(item.task())) {
            if (!done.answer().containsKey(input.name())) {
                violations.add(Violation.missing(
                        JsonPointer.ROOT.to("answer").to(input.name()).toString()));
            }
        }
        if (!violations.isEmpty()) {
            return draft.refuse(detail(violations));
        }
        TaskScheduler.resumeForPerson(draft);
        draft.answer(done.answer());
        beginAnswered(draft, done.by());
        return settled(draft);
    }

    /**
     * The user's reply in the conversation. An invalid reply cannot be rejected, because the message is already
     * accepted: the question is asked again, with the reason.
     */
    private static TransitionResult replied(NextState draft, InstanceEvent.UserReplied reply) {
        List<InputParameter> open = draft.hasConversation() ? InputRequests.open(draft) : List.of();
        if (open.isEmpty()) {
            return draft.refuse("The instance does not ask for anything.");
        }
        Map<String, @Nullable Object> values = reply.values();
        if (values.isEmpty()) {
            values = new LinkedHashMap<>();
            values.put(open.getFirst().name(), reply.text());
        }
        List<Violation> violations = InputResolver.check(draft.plan(), values, JsonPointer.ROOT);
        if (!violations.isEmpty()) {
            InputRequests.askAgain(draft, detail(violations));
            return draft.decide();
        }
        TaskScheduler.resumeForPerson(draft);
        draft.answer(values);
        beginAnswered(draft, "user");
        InputRequests.askAgain(draft, null);
        return settled(draft);
    }

    /** Starts every task whose inputs are now complete. One value may serve several tasks. */
    private static void beginAnswered(NextState draft, String by) {
        for (int task : InputRequests.waiting(draft)) {
            if (draft.humanValues().missing(task).isEmpty()) {
                if (TaskScheduler.hasTicket(draft, draft.task(task))) {
                    close(draft, WorkItem.ofTask(task), TicketEnd.COMPLETED, by, inputsOf(draft, task), null);
                }
                TaskScheduler.go(draft, WorkItem.ofTask(task));
            }
        }
    }

    private static Map<String, @Nullable Object> inputsOf(NextState draft, int task) {
        Map<String, @Nullable Object> answer =
                new LinkedHashMap<>(draft.humanValues().answers());
        answer.keySet()
                .retainAll(draft.plan().task(task).inputParameters().stream()
                        .map(InputParameter::name)
                        .collect(Collectors.toSet()));
        return answer;
    }

    static void close(
            NextState draft,
            WorkItem item,
            TicketEnd end,
            String by,
            @Nullable Map<String, @Nullable Object> answer,
            @Nullable String reason) {
        draft.emit(
                new Effect.CloseTicket(draft.id(item.task()), draft.state(item).attempt(), end, by, answer, reason));
    }

    private static TransitionResult settled(NextState draft) {
        TaskScheduler.settle(draft);
        return draft.decide();
    }

    private static String detail(List<Violation> violations) {
        return violations.stream()
                .map(violation -> "'" + violation.field() + "': " + violation.detail())
                .collect(Collectors.joining(" "));
    }
}
