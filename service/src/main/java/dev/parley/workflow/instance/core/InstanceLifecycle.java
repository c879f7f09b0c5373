package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.plan.WorkItem;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.ReusedResult;
import dev.parley.workflow.instance.core.state.TaskState;
import java.util.Map;

/** Events that the engine raises about a whole instance, such as its start and its time limit. */
final class InstanceLifecycle {
    private InstanceLifecycle() {}

    static TransitionResult apply(NextState next, InstanceEvent.LifecycleEvent event) {
        switch (event) {
            case InstanceEvent.InstanceStarted started -> {
                if (next.isNew()) {
                    reuse(next, started.reused());
                }
                start(next);
            }
            case InstanceEvent.Recovered _ -> recover(next);
            case InstanceEvent.WaitEnded _ -> {
                return TaskReports.endWaits(next);
            }
            case InstanceEvent.SubWorkflowEnded ended -> {
                return TaskReports.continueAfter(next, ended);
            }
            case InstanceEvent.TimeLimitReached _ ->
                TaskScheduler.end(
                        next,
                        InstanceStatus.TERMINATED,
                        new InstanceError(null, "Time limit reached", "The instance reached its time limit."),
                        "system");
        }
        return next.decide();
    }

    private static void reuse(NextState next, Map<TaskId, ReusedResult> results) {
        for (int task = 0; task < next.plan().size(); task++) {
            ReusedResult result = results.get(next.id(task));
            if (result != null) {
                next.set(task, next.task(task).reused(result, next.now()));
            }
        }
    }

    /** Idempotent: after the first start no task is both ready and PENDING. */
    private static void start(NextState next) {
        if (next.isNew()) {
            next.emit(new Effect.StatusChanged(null, next.status(), next.now()));
        }
        if (!next.pausedByRequest()) {
            TaskScheduler.startReady(next);
        }
        TaskScheduler.settle(next);
    }

    /**
     * Restarts the tasks that were in flight on the lost node, even during a requested pause, because they had started
     * before it. Sets all timers again, because a node may die before it stores them.
     */
    private static void recover(NextState next) {
        for (int task = 0; task < next.plan().size(); task++) {
            for (WorkItem item : next.active(task)) {
                TaskState state = next.state(item);
                if (state.isExecuting()) {
                    TaskScheduler.startAgain(next, item);
                } else if (state.retryAt() != null && !next.pausedByRequest()) {
                    next.emit(new Effect.ScheduleRetry(next.id(task), state.attempt(), state.retryAt()));
                }
            }
        }
        start(next);
    }
}
