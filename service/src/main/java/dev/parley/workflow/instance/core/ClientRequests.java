package dev.parley.workflow.instance.core;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.plan.WorkItem;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStates;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests of clients and operators about a whole instance: pause, resume, retry, cancel, terminate. */
final class ClientRequests {
    private ClientRequests() {}

    static TransitionResult apply(NextState next, InstanceEvent.ClientRequest request) {
        return switch (request) {
            case InstanceEvent.EventReceived event -> received(next, event);
            case InstanceEvent.PauseRequested _ -> pause(next);
            case InstanceEvent.ResumeRequested _ -> resume(next);
            case InstanceEvent.RetryRequested retry -> retry(next, retry.by());
            case InstanceEvent.CancelRequested cancel -> {
                TaskScheduler.end(next, InstanceStatus.CANCELLED, null, cancel.by());
                yield next.decide();
            }
            case InstanceEvent.Terminated end -> {
                InstanceError error = new InstanceError(null, "Terminated", end.reason());
                TaskScheduler.end(next, InstanceStatus.TERMINATED, error, end.by());
                yield next.decide();
            }
        };
    }

    private static TransitionResult received(NextState next, InstanceEvent.EventReceived event) {
        WorkItem item = next.plan().has(event.task())
                ? next.withAttempt(next.plan().number(event.task()), event.attempt())
                : null;
        if (item == null || next.state(item).waitingFor() != WaitingReason.EVENT) {
            return next.refuse("The task does not wait for this event, or no longer.");
        }
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> outputs = ValueRules.outputs(
                next.plan().task(item.task()).expectedOutput(), event.outputs(), JsonPointer.ROOT, violations);
        if (!violations.isEmpty()) {
            return next.refuse(violations.getFirst().detail());
        }
        TaskScheduler.succeed(next, item, outputs);
        TaskScheduler.settle(next);
        return next.decide();
    }

    /** The instance becomes PAUSED at once. Running tasks may finish, and their results are kept. */
    private static TransitionResult pause(NextState next) {
        if (next.status() != InstanceStatus.RUNNING) {
            return next.refuse("The instance is already PAUSED.");
        }
        next.become(InstanceStatus.PAUSED);
        next.pausedByRequest(true);
        return next.decide();
    }

    /**
     * Ends a requested pause. An instance whose remaining work all waits for a person stays PAUSED, now because of
     * that.
     */
    private static TransitionResult resume(NextState next) {
        if (next.status() == InstanceStatus.RUNNING) {
            return next.refuse("The instance is RUNNING; only a paused one can be resumed.");
        }
        if (!next.pausedByRequest()) {
            return next.refuse(
                    "The instance waits for a person. It continues when its ticket or question is answered.");
        }
        next.pausedByRequest(false);
        if (!onlyWaits(next)) {
            next.become(InstanceStatus.RUNNING);
            beginHeld(next);
            TaskScheduler.startReady(next);
            TaskScheduler.settle(next);
        }
        return next.decide();
    }

    private static boolean onlyWaits(NextState next) {
        TaskStates.Counts counts = next.tasks().counts();
        if (counts.waiting() == 0 || counts.running() > 0 || counts.suspended() > 0 || counts.failed() > 0) {
            return false;
        }
        for (int task = 0; task < next.plan().size(); task++) {
            if (next.task(task).status() == TaskStatus.PENDING && next.tasks().unmet(task) == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Starts the tasks and items that became due during the pause. Retries that are not due yet get a new timer, because their
     * timer may have fired during the pause.
     */
    private static void beginHeld(NextState next) {
        for (int task = 0; task < next.plan().size(); task++) {
            for (WorkItem item : next.active(task)) {
                TaskState state = next.state(item);
                if (state.retryAt() != null) {
                    if (state.retryAt().isAfter(next.now())) {
                        next.emit(new Effect.ScheduleRetry(next.id(task), state.attempt(), state.retryAt()));
                    } else {
                        TaskScheduler.begin(next, item);
                    }
                }
            }
            next.reconsiderItems(task);
        }
    }

    private static TransitionResult retry(NextState next, String by) {
        boolean any = false;
        for (int task = 0; task < next.plan().size(); task++) {
            for (WorkItem item : next.active(task)) {
                if (next.state(item).waitingFor() == WaitingReason.EXCEPTION_TICKET) {
                    if (!any) {
                        TaskScheduler.resumeForPerson(next);
                        any = true;
                    }
                    PersonActions.retry(next, item, by);
                }
            }
        }
        if (!any) {
            return next.refuse("No task of the instance waits on an exception, so there is nothing to retry.");
        }
        TaskScheduler.settle(next);
        return next.decide();
    }
}
