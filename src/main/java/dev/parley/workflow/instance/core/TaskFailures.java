package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.ControlFlow.ForEach;
import dev.parley.workflow.definition.core.ControlFlow.ItemErrorRule;
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
    static void failed(NextState draft, WorkItem item, TaskError error, @Nullable Duration retryAfter) {
        TaskState state = draft.state(item);
        if (error.isTransient() && state.retries() < RetryBackoff.AUTOMATIC_RETRIES) {
            retryLater(draft, item, error, retryAfter);
        } else if (mayRetry(draft, item)) {
            draft.set(item, state.withError(error).newRun(1));
            TaskScheduler.go(draft, item);
        } else {
            failedForGood(draft, item, error);
        }
    }

    /** Handles a failure without further automatic retries, because all are used up or none could help. */
    static void failedForGood(NextState draft, WorkItem item, TaskError error) {
        ErrorPolicy policy = policy(draft, item);
        if (policy == ErrorPolicy.IGNORE) {
            ignore(draft, item, error);
        } else if (policy != ErrorPolicy.RAISE && draft.plan().hasExceptionRule() && !isCollected(draft, item)) {
            TaskState waiting = draft.state(item).withError(error);
            draft.set(item, waiting.waitingFor(WaitingReason.EXCEPTION_TICKET, draft.now()));
            draft.emit(exceptionTicket(draft, item, error));
        } else {
            draft.set(item, draft.state(item).failed(error, draft.now()));
        }
    }

    /** Whether the item's failure is collected, so that nobody has to handle it. */
    private static boolean isCollected(NextState draft, WorkItem item) {
        ForEach forEach = draft.plan().task(item.task()).controlFlow().forEach();
        return !item.isTask() && forEach != null && forEach.onError() == ItemErrorRule.COLLECT;
    }

    /** How the ticket of a rejected task ends. Must agree with what {@link #rejected} does next. */
    static TicketEnd endOfRejected(NextState draft, WorkItem item) {
        if (mayRetry(draft, item)) {
            return TicketEnd.REPLACED;
        }
        return policy(draft, item) == ErrorPolicy.IGNORE ? TicketEnd.REJECTION_IGNORED : TicketEnd.REJECTED;
    }

    /** A person rejected a Human task or a request for inputs. */
    static void rejected(NextState draft, WorkItem item, TaskError error) {
        switch (endOfRejected(draft, item)) {
            case REPLACED -> {
                TaskState state = draft.state(item);
                boolean neverBegan = state.waitingFor() == WaitingReason.USER_INPUT;
                draft.set(
                        item,
                        neverBegan
                                ? state.askedAgain(error)
                                : state.withError(error).newRun(1));
                TaskScheduler.go(draft, item);
            }
            case REJECTION_IGNORED -> ignore(draft, item, error);
            default -> draft.set(item, draft.state(item).failed(error, draft.now()));
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

    private static void retryLater(NextState draft, WorkItem item, TaskError error, @Nullable Duration retryAfter) {
        TaskState state = draft.state(item);
        Duration delay = RetryBackoff.delay(
                draft.trigger().instanceId(), draft.id(item.task()), state.attempt(), state.retries(), retryAfter);
        Instant at = draft.now().plus(delay);
        draft.set(item, state.retriedAt(error, at));
        if (!draft.pausedByRequest()) {
            draft.emit(new Effect.ScheduleRetry(draft.id(item.task()), state.attempt(), at));
        }
    }

    private static boolean mayRetry(NextState draft, WorkItem item) {
        return policy(draft, item) == ErrorPolicy.RETRY
                && draft.state(item).policyRetries() < RetryBackoff.POLICY_RETRIES;
    }

    private static void ignore(NextState draft, WorkItem item, TaskError error) {
        Map<String, @Nullable Object> nulls = InstanceOutput.nulls(draft.plan().task(item.task()));
        draft.set(item, draft.state(item).completed(nulls, error, draft.now()));
    }

    private static @Nullable ErrorPolicy policy(NextState draft, WorkItem item) {
        return draft.plan().task(item.task()).errorPolicy();
    }

    /** Outputs can be supplied for a task or an item, but not for all items of a task at once. */
    static boolean maySupplyOutputs(NextState draft, WorkItem item) {
        return !item.isTask() || draft.plan().task(item.task()).controlFlow().forEach() == null;
    }

    private static Effect.OpenTicket exceptionTicket(NextState draft, WorkItem item, TaskError error) {
        Task task = draft.plan().task(item.task());
        TaskInputs inputs = InputResolver.resolve(draft, item) instanceof InputResolver.Ready ready
                ? ready.inputs()
                : new TaskInputs(Map.of(), Map.of());
        return new Effect.OpenTicket(
                task.id(),
                draft.state(item).attempt(),
                item.itemIndex(),
                RuleType.EXCEPTION,
                draft.plan().rules(RuleType.EXCEPTION),
                "Exception in " + TaskScheduler.title(draft, item, task),
                task.instructions(),
                new TicketForm(maySupplyOutputs(draft, item) ? task.expectedOutput() : List.of(), List.of()),
                inputs,
                error,
                null);
    }
}
