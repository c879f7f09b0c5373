package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.ErrorPolicy;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Handles a task's error: first automatic retries of transient errors, then the task's {@code error_policy}. Without a
 * policy, or when RETRY is used up, an Exception ticket opens or the instance fails.
 */
final class TaskFailures {
    private TaskFailures() {}

    /** An executor failed. */
    static void failed(NextState draft, int task, TaskError error, @Nullable Duration retryAfter) {
        TaskState state = draft.task(task);
        if (error.isTransient() && state.retries() < RetryBackoff.AUTOMATIC_RETRIES) {
            retryLater(draft, task, error, retryAfter);
        } else if (mayRetry(draft, task)) {
            draft.set(task, state.withError(error).newRun(1));
            TaskScheduler.go(draft, task);
        } else {
            failedForGood(draft, task, error);
        }
    }

    /** Handles a failure without further automatic retries, because all are used up or none could help. */
    static void failedForGood(NextState draft, int task, TaskError error) {
        boolean raises = policy(draft, task) == ErrorPolicy.RAISE;
        if (policy(draft, task) == ErrorPolicy.IGNORE) {
            ignore(draft, task, error);
        } else if (!raises && draft.plan().hasExceptionRule()) {
            TaskState waiting = draft.task(task).withError(error);
            draft.set(task, waiting.waitingFor(WaitingReason.EXCEPTION_TICKET, draft.now()));
            draft.emit(exceptionTicket(draft, task, error));
        } else {
            draft.set(task, draft.task(task).failed(error, draft.now()));
        }
    }

    /** How the ticket of a rejected task ends. Must agree with what {@link #rejected} does next. */
    static TicketEnd endOfRejected(NextState draft, int task) {
        if (mayRetry(draft, task)) {
            return TicketEnd.REPLACED;
        }
        return policy(draft, task) == ErrorPolicy.IGNORE ? TicketEnd.REJECTION_IGNORED : TicketEnd.REJECTED;
    }

    /** A person rejected a Human task or a request for inputs. */
    static void rejected(NextState draft, int task, TaskError error) {
        switch (endOfRejected(draft, task)) {
            case REPLACED -> {
                TaskState state = draft.task(task).withError(error).newRun(1);
                boolean neverBegan = state.waitingFor() == WaitingReason.USER_INPUT;
                draft.set(task, neverBegan ? state.askedAgain() : state);
                TaskScheduler.go(draft, task);
            }
            case REJECTION_IGNORED -> ignore(draft, task, error);
            default -> draft.set(task, draft.task(task).failed(error, draft.now()));
        }
    }

    /** The error of the instance: that of the first task that failed. */
    static InstanceError firstError(NextState draft) {
        InstanceError first = new InstanceError(null, "Failed", "A task failed.");
        Instant firstAt = Instant.MAX;
        for (int task = 0; task < draft.plan().size(); task++) {
            TaskState state = draft.task(task);
            TaskError error = state.error();
            Instant at = state.finishedAt();
            if (state.status() == TaskStatus.FAILED && error != null && at != null && at.isBefore(firstAt)) {
                first = new InstanceError(draft.id(task), error.error(), error.detail());
                firstAt = at;
            }
        }
        return first;
    }

    private static void retryLater(NextState draft, int task, TaskError error, @Nullable Duration retryAfter) {
        TaskState state = draft.task(task);
        Duration delay = RetryBackoff.delay(
                draft.trigger().instanceId(), draft.id(task), state.attempt(), state.retries(), retryAfter);
        Instant at = draft.now().plus(delay);
        draft.set(task, state.retriedAt(error, at));
        if (!draft.pausedByRequest()) {
            draft.emit(new Effect.ScheduleRetry(draft.id(task), state.attempt(), at));
        }
    }

    private static boolean mayRetry(NextState draft, int task) {
        return policy(draft, task) == ErrorPolicy.RETRY
                && draft.task(task).policyRetries() < RetryBackoff.POLICY_RETRIES;
    }

    private static void ignore(NextState draft, int task, TaskError error) {
        TaskScheduler.complete(draft, task, InstanceOutput.nulls(draft.plan().task(task)), error);
    }

    private static @Nullable ErrorPolicy policy(NextState draft, int task) {
        return draft.plan().task(task).errorPolicy();
    }

    private static Effect.OpenTicket exceptionTicket(NextState draft, int number, TaskError error) {
        Task task = draft.plan().task(number);
        TaskInputs inputs = InputResolver.resolve(draft, number) instanceof InputResolver.Ready ready
                ? ready.inputs()
                : new TaskInputs(Map.of(), Map.of());
        return new Effect.OpenTicket(
                task.id(),
                draft.task(number).attempt(),
                RuleType.EXCEPTION,
                draft.plan().rules(RuleType.EXCEPTION),
                "Exception in " + task.name(),
                task.instructions(),
                new TicketForm(task.expectedOutput(), List.of()),
                inputs,
                error,
                null);
    }
}
