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
        int task = draft.plan().number(action.task());
        TaskState state = draft.task(task);
        WaitingReason reason = state.waitingFor();
        if (reason == null || state.attempt() != action.attempt() || !TaskScheduler.hasTicket(draft, state)) {
            return draft.refuse("The ticket of task '" + action.task() + "' is no longer open.");
        }
        boolean exception = reason == WaitingReason.EXCEPTION_TICKET;
        return switch (action) {
            case InstanceEvent.TicketCompleted done
            when reason == WaitingReason.USER_INPUT -> inputsGiven(draft, task, done);
            case InstanceEvent.TicketCompleted done -> outputsGiven(draft, task, done.answer(), done.by());
            case InstanceEvent.ExceptionSupplied done
            when exception -> outputsGiven(draft, task, done.outputs(), done.by());
            case InstanceEvent.TicketRejected no when exception -> raised(draft, task, no.reason(), no.by());
            case InstanceEvent.ExceptionRaised no when exception -> raised(draft, task, no.reason(), no.by());
            case InstanceEvent.TicketRejected no -> rejected(draft, task, no);
            case InstanceEvent.ExceptionRetry again when exception -> retried(draft, task, again.by());
            case InstanceEvent.ExceptionSupplied _, InstanceEvent.ExceptionRaised _, InstanceEvent.ExceptionRetry _ ->
                draft.refuse("The ticket of task '" + action.task() + "' is not about an exception.");
        };
    }

    private static TransitionResult outputsGiven(
            NextState draft, int number, Map<String, @Nullable Object> given, String by) {
        Task task = draft.plan().task(number);
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> outputs =
                ValueRules.outputs(task.expectedOutput(), given, JsonPointer.ROOT.to("answer"), violations);
        if (!violations.isEmpty()) {
            return draft.refuse(sentence(violations));
        }
        TaskScheduler.resumeForPerson(draft);
        close(draft, number, TicketEnd.COMPLETED, by, outputs, null);
        TaskScheduler.complete(draft, number, outputs, null);
        return settled(draft);
    }

    private static TransitionResult rejected(NextState draft, int task, InstanceEvent.TicketRejected no) {
        TaskScheduler.resumeForPerson(draft);
        close(draft, task, TaskFailures.endOfRejected(draft, task), no.by(), null, no.reason());
        TaskFailures.rejected(draft, task, new TaskError("Rejected", no.reason(), false));
        return settled(draft);
    }

    /** The person raises the exception: the task's own error stays the title, and the reason is the detail. */
    private static TransitionResult raised(NextState draft, int task, String reason, String by) {
        TaskScheduler.resumeForPerson(draft);
        close(draft, task, TicketEnd.REJECTED, by, null, reason);
        TaskError error = draft.task(task).error();
        TaskError raised = error == null
                ? new TaskError("Raised", reason, false)
                : new TaskError(
                        error.error(), reason.isBlank() ? error.detail() : error.detail() + " " + reason, false);
        draft.set(task, draft.task(task).failed(raised, draft.now()));
        return settled(draft);
    }

    private static TransitionResult retried(NextState draft, int task, String by) {
        TaskScheduler.resumeForPerson(draft);
        retry(draft, task, by);
        return settled(draft);
    }

    /** Starts a new run with automatic retries of its own. Retries spent by the RETRY policy stay spent. */
    static void retry(NextState draft, int task, String by) {
        close(draft, task, TicketEnd.RETRIED, by, null, null);
        draft.set(task, draft.task(task).newRun(0));
        TaskScheduler.go(draft, task);
    }

    private static TransitionResult inputsGiven(NextState draft, int task, InstanceEvent.TicketCompleted done) {
        List<Violation> violations =
                new ArrayList<>(InputResolver.check(draft.plan(), done.answer(), JsonPointer.ROOT.to("answer")));
        for (InputParameter input : draft.humanValues().missing(task)) {
            if (!done.answer().containsKey(input.name())) {
                violations.add(Violation.missing(
                        JsonPointer.ROOT.to("answer").to(input.name()).toString()));
            }
        }
        if (!violations.isEmpty()) {
            return draft.refuse(sentence(violations));
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
            InputRequests.askAgain(draft, sentence(violations));
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
                    close(draft, task, TicketEnd.COMPLETED, by, inputsOf(draft, task), null);
                }
                TaskScheduler.go(draft, task);
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

    private static void close(
            NextState draft,
            int task,
            TicketEnd end,
            String by,
            @Nullable Map<String, @Nullable Object> answer,
            @Nullable String reason) {
        draft.emit(new Effect.CloseTicket(draft.id(task), draft.task(task).attempt(), end, by, answer, reason));
    }

    private static TransitionResult settled(NextState draft) {
        TaskScheduler.settle(draft);
        return draft.decide();
    }

    private static String sentence(List<Violation> violations) {
        return violations.stream()
                .map(violation -> "'" + violation.field() + "': " + violation.detail())
                .collect(Collectors.joining(" "));
    }
}
