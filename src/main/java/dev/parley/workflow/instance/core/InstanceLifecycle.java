package dev.parley.workflow.instance.core;

/** What the engine does with an instance as a whole. */
final class InstanceLifecycle {
    private InstanceLifecycle() {}

    static TransitionResult apply(NextState draft, InstanceEvent.LifecycleEvent event) {
        switch (event) {
            case InstanceEvent.InstanceStarted _ -> start(draft);
            case InstanceEvent.Recovered _ -> recover(draft);
            case InstanceEvent.TimeLimitReached _ ->
                TaskScheduler.end(
                        draft,
                        InstanceStatus.TERMINATED,
                        new InstanceError(null, "Time limit reached", "The instance reached its time limit."),
                        "system");
        }
        return draft.decide();
    }

    /** Does nothing the second time: then no task is both ready and PENDING. */
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
     * Starts again what was in flight on the node that is gone, also while paused by request, since it had started
     * before; and sets the timers again, which may have been lost before they were stored.
     */
    private static void recover(NextState draft) {
        for (int task = 0; task < draft.plan().size(); task++) {
            TaskState state = draft.task(task);
            if (state.isExecuting()) {
                TaskScheduler.startAgain(draft, task);
            } else if (state.retryAt() != null && !draft.pausedByRequest()) {
                draft.emit(new Effect.ScheduleRetry(draft.id(task), state.attempt(), state.retryAt()));
            }
        }
        start(draft);
    }
}
