package dev.parley.workflow.instance.core;

/** What the engine does with an instance as a whole. */
final class Lifecycle {
    private Lifecycle() {}

    static Outcome apply(Draft draft, InstanceEvent.Lifecycle event) {
        switch (event) {
            case InstanceEvent.Started _ -> start(draft);
            case InstanceEvent.Recovered _ -> recover(draft);
            case InstanceEvent.TimeLimitReached _ ->
                Scheduling.end(
                        draft,
                        InstanceStatus.TERMINATED,
                        new InstanceError(null, "Time limit reached", "The instance reached its time limit."),
                        "system");
        }
        return draft.decide();
    }

    /** Does nothing the second time: then no task is both ready and PENDING. */
    private static void start(Draft draft) {
        if (draft.isNew()) {
            draft.emit(new Effect.StatusChanged(null, draft.status(), draft.now()));
        }
        if (!draft.pausedByRequest()) {
            Scheduling.startReady(draft);
        }
        Scheduling.settle(draft);
    }

    /**
     * Starts again what was in flight on the node that is gone, also while paused by request, since it had started
     * before; and sets the timers again, which may have been lost before they were stored.
     */
    private static void recover(Draft draft) {
        for (int task = 0; task < draft.plan().size(); task++) {
            TaskState state = draft.task(task);
            if (state.isExecuting()) {
                Scheduling.startAgain(draft, task);
            } else if (state.retryAt() != null && !draft.pausedByRequest()) {
                draft.emit(new Effect.ScheduleRetry(draft.id(task), state.attempt(), state.retryAt()));
            }
        }
        start(draft);
    }
}
