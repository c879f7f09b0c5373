package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.TaskId;
import java.util.Map;

/** Events that the engine raises about a whole instance, such as its start and its time limit. */
final class InstanceLifecycle {
    private InstanceLifecycle() {}

    static TransitionResult apply(NextState draft, InstanceEvent.LifecycleEvent event) {
        switch (event) {
            case InstanceEvent.InstanceStarted started -> {
                if (draft.isNew()) {
                    reuse(draft, started.reused());
                }
                start(draft);
            }
            case InstanceEvent.Recovered _ -> recover(draft);
            case InstanceEvent.WaitEnded _ -> {
                return TaskReports.endWaits(draft);
            }
            case InstanceEvent.SubWorkflowEnded ended -> {
                return TaskReports.continueAfter(draft, ended);
            }
            case InstanceEvent.TimeLimitReached _ ->
                TaskScheduler.end(
                        draft,
                        InstanceStatus.TERMINATED,
                        new InstanceError(null, "Time limit reached", "The instance reached its time limit."),
                        "system");
        }
        return draft.decide();
    }

    private static void reuse(NextState draft, Map<TaskId, ReusedResult> results) {
        for (int task = 0; task < draft.plan().size(); task++) {
            ReusedResult result = results.get(draft.id(task));
            if (result != null) {
                TaskState state = draft.task(task);
                SkipReason skipped = result.skipped();
                draft.set(
                        task,
                        skipped == null
                                ? state.completed(result.outputs(), null, draft.now())
                                : state.skipped(skipped, result.outputs(), draft.now()));
            }
        }
    }

    /** Idempotent: after the first start no task is both ready and PENDING. */
    private static void start(NextState draft) {
        if (draft.isNew()) {
            draft.emit(new Effect.StatusChanged(null, draft.status(), draft.now()));
        }
        if (!draft.pausedByRequest()) {
            TaskScheduler.startReady(draft);
        }
        TaskScheduler.settle(draft);
    }

    /**
     * Restarts the tasks that were in flight on the lost node, even during a requested pause, because they had started
     * before it. Sets all timers again, because a node may die before it stores them.
     */
    private static void recover(NextState draft) {
        for (int task = 0; task < draft.plan().size(); task++) {
            for (WorkItem item : draft.active(task)) {
                TaskState state = draft.state(item);
                if (state.isExecuting()) {
                    TaskScheduler.startAgain(draft, item);
                } else if (state.retryAt() != null && !draft.pausedByRequest()) {
                    draft.emit(new Effect.ScheduleRetry(draft.id(task), state.attempt(), state.retryAt()));
                }
            }
        }
        start(draft);
    }
}
