package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.part.ControlFlow.ForEach;
import dev.parley.workflow.definition.core.part.ControlFlow.ItemErrorRule;
import dev.parley.workflow.definition.core.part.ErrorPolicy;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.TaskInputs;
import dev.parley.workflow.instance.core.event.TicketForm;
import dev.parley.workflow.instance.core.plan.RetryBackoff;
import dev.parley.workflow.instance.core.plan.WorkItem;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Handles a task's error: first automatic retries of transient errors, then the task's {@code error_policy}. Without a
 * policy, or when RETRY is used up, an Exception ticket opens or the instance fails. An exceeded budget always opens a
 * ticket, because the task can go on later.
 */
final class TaskFailures {
    private TaskFailures() {}

    /** An executor failed. */
    static void failed(NextState next, WorkItem item, TaskError error, @Nullable Duration retryAfter) {
        TaskState state = next.state(item);
        if (error.exceedsBudget()) {
            waitForTicket(next, item, error);
        } else if (error.isTransient() && state.retries() < RetryBackoff.AUTOMATIC_RETRIES) {
            retryLater(next, item, error, retryAfter);
        } else if (mayRetry(next, item)) {
            next.set(item, state.withError(error).newRun(1));
            TaskScheduler.beginOrHold(next, item);
        } else {
            failedForGood(next, item, error);
        }
    }

    /** Handles a failure without further automatic retries, because all are used up or none could help. */
    static void failedForGood(NextState next, WorkItem item, TaskError error) {
        ErrorPolicy policy = policy(next, item);
        if (policy == ErrorPolicy.IGNORE) {
            ignore(next, item, error);
        } else if (policy != ErrorPolicy.RAISE && next.plan().hasExceptionRule() && !isCollected(next, item)) {
            waitForTicket(next, item, error);
        } else {
            next.set(item, next.state(item).failed(error, next.now()));
        }
    }

    private static void waitForTicket(NextState next, WorkItem item, TaskError error) {
        TaskState waiting = next.state(item).withError(error);
        next.set(item, waiting.waitingFor(WaitingReason.EXCEPTION_TICKET, next.now()));
        next.emit(exceptionTicket(next, item, error));
    }

    /** Whether the item's failure is collected instead of handled by a person. */
    private static boolean isCollected(NextState next, WorkItem item) {
        ForEach forEach = next.plan().task(item.task()).controlFlow().forEach();
        return !item.isTask() && forEach != null && forEach.onError() == ItemErrorRule.COLLECT;
    }

    /** How the ticket of a rejected task ends. Must agree with what {@link #rejected} does next. */
    static TicketEnd endOfRejected(NextState next, WorkItem item) {
        if (mayRetry(next, item)) {
            return TicketEnd.REPLACED;
        }
        return policy(next, item) == ErrorPolicy.IGNORE ? TicketEnd.REJECTION_IGNORED : TicketEnd.REJECTED;
    }

    /** A person rejected a Human task or a request for inputs. */
    static void rejected(NextState next, WorkItem item, TaskError error) {
        switch (endOfRejected(next, item)) {
            case REPLACED -> {
                TaskState state = next.state(item);
                boolean neverBegan = state.waitingFor() == WaitingReason.USER_INPUT;
                next.set(
                        item,
                        neverBegan
                                ? state.askedAgain(error)
                                : state.withError(error).newRun(1));
                TaskScheduler.beginOrHold(next, item);
            }
            case REJECTION_IGNORED -> ignore(next, item, error);
            default -> next.set(item, next.state(item).failed(error, next.now()));
        }
    }

    /** The error of the instance: that of the first task that failed. */
    static InstanceError firstError(NextState next) {
        InstanceError first = new InstanceError(null, "Failed", "A task failed.");
        Instant firstAt = Instant.MAX;
        for (int task = 0; task < next.plan().size(); task++) {
            TaskState state = next.task(task);
            TaskError error = state.error();
            Instant at = state.finishedAt();
            if (state.status() == TaskStatus.FAILED && error != null && at != null && at.isBefore(firstAt)) {
                first = new InstanceError(next.id(task), error.error(), error.detail());
                firstAt = at;
            }
        }
        return first;
    }

    private static void retryLater(NextState next, WorkItem item, TaskError error, @Nullable Duration retryAfter) {
        TaskState state = next.state(item);
        Duration delay = RetryBackoff.delay(
                next.trigger().instanceId(), next.id(item.task()), state.attempt(), state.retries(), retryAfter);
        Instant at = next.now().plus(delay);
        next.set(item, state.retriedAt(error, at));
        if (!next.pausedByRequest()) {
            next.emit(new Effect.ScheduleRetry(next.id(item.task()), state.attempt(), at));
        }
    }

    private static boolean mayRetry(NextState next, WorkItem item) {
        return policy(next, item) == ErrorPolicy.RETRY
                && next.state(item).policyRetries() < RetryBackoff.POLICY_RETRIES;
    }

    private static void ignore(NextState next, WorkItem item, TaskError error) {
        Map<String, @Nullable Object> nulls = InstanceOutput.nulls(next.plan().task(item.task()));
        next.set(item, next.state(item).completed(nulls, error, next.now()));
    }

    private static @Nullable ErrorPolicy policy(NextState next, WorkItem item) {
        return next.plan().task(item.task()).errorPolicy();
    }

    /** Outputs can be supplied for a task or an item, but not for all items of a task at once. */
    static boolean maySupplyOutputs(NextState next, WorkItem item) {
        return !item.isTask() || next.plan().task(item.task()).controlFlow().forEach() == null;
    }

    private static Effect.OpenTicket exceptionTicket(NextState next, WorkItem item, TaskError error) {
        Task task = next.plan().task(item.task());
        TaskInputs inputs = InputResolver.resolve(next, item) instanceof InputResolver.Ready ready
                ? ready.inputs()
                : new TaskInputs(Map.of(), Map.of());
        return new Effect.OpenTicket(
                task.id(),
                next.state(item).attempt(),
                item.itemIndex(),
                RuleType.EXCEPTION,
                next.plan().rules(RuleType.EXCEPTION),
                "Exception in " + TaskScheduler.title(next, item, task),
                task.instructions(),
                new TicketForm(maySupplyOutputs(next, item) ? task.expectedOutput() : List.of(), List.of()),
                inputs,
                error,
                null);
    }
}
