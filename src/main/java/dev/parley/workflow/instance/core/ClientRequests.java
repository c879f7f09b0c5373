package dev.parley.workflow.instance.core;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.JsonPointer;
import dev.parley.workflow.definition.core.ValueRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests of clients and operators about a whole instance: pause, resume, retry, cancel, terminate. */
final class ClientRequests {
    private ClientRequests() {}

    static TransitionResult apply(NextState draft, InstanceEvent.ClientRequest request) {
        return switch (request) {
            case InstanceEvent.EventReceived event -> received(draft, event);
            case InstanceEvent.PauseRequested _ -> pause(draft);
            case InstanceEvent.ResumeRequested _ -> resume(draft);
            case InstanceEvent.RetryRequested retry -> retry(draft, retry.by());
            case InstanceEvent.CancelRequested cancel -> {
                TaskScheduler.end(draft, InstanceStatus.CANCELLED, null, cancel.by());
                yield draft.decide();
            }
            case InstanceEvent.Terminated end -> {
                InstanceError error = new InstanceError(null, "Terminated", end.reason());
                TaskScheduler.end(draft, InstanceStatus.TERMINATED, error, end.by());
                yield draft.decide();
            }
        };
    }

    private static TransitionResult received(NextState draft, InstanceEvent.EventReceived event) {
        WorkItem item = draft.plan().has(event.task())
                ? draft.withAttempt(draft.plan().number(event.task()), event.attempt())
                : null;
        if (item == null || draft.state(item).waitingFor() != WaitingReason.EVENT) {
            return draft.refuse("The task does not wait for this event, or no longer.");
        }
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> outputs = ValueRules.outputs(
                draft.plan().task(item.task()).expectedOutput(), event.outputs(), JsonPointer.ROOT, violations);
        if (!violations.isEmpty()) {
            return draft.refuse(violations.getFirst().detail());
        }
        TaskScheduler.succeed(draft, item, outputs);
        TaskScheduler.settle(draft);
        return draft.decide();
    }

    /** The instance becomes PAUSED at once. Running tasks may finish, and their results are kept. */
    private static TransitionResult pause(NextState draft) {
        if (draft.status() != InstanceStatus.RUNNING) {
            return draft.refuse("The instance is already PAUSED.");
        }
        draft.become(InstanceStatus.PAUSED);
        draft.pausedByRequest(true);
        return draft.decide();
    }

    /**
     * Ends a requested pause. An instance whose remaining work all waits for a person stays PAUSED, now because of
     * that.
     */
    private static TransitionResult resume(NextState draft) {
        if (draft.status() == InstanceStatus.RUNNING) {
            return draft.refuse("The instance is RUNNING; only a paused one can be resumed.");
        }
        if (!draft.pausedByRequest()) {
            return draft.refuse(
                    "The instance waits for a person. It continues when its ticket or question is answered.");
        }
        draft.pausedByRequest(false);
        if (!onlyWaits(draft)) {
            draft.become(InstanceStatus.RUNNING);
            beginHeld(draft);
            TaskScheduler.startReady(draft);
            TaskScheduler.settle(draft);
        }
        return draft.decide();
    }

    private static boolean onlyWaits(NextState draft) {
        TaskStates.Counts counts = draft.tasks().counts();
        if (counts.waiting() == 0 || counts.running() > 0 || counts.suspended() > 0 || counts.failed() > 0) {
            return false;
        }
        for (int task = 0; task < draft.plan().size(); task++) {
            if (draft.task(task).status() == TaskStatus.PENDING && draft.tasks().unmet(task) == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Starts the tasks and items that became due during the pause. Retries that are not due yet get a new timer, because their
     * timer may have fired during the pause.
     */
    private static void beginHeld(NextState draft) {
        for (int task = 0; task < draft.plan().size(); task++) {
            for (WorkItem item : draft.active(task)) {
                TaskState state = draft.state(item);
                if (state.retryAt() != null) {
                    if (state.retryAt().isAfter(draft.now())) {
                        draft.emit(new Effect.ScheduleRetry(draft.id(task), state.attempt(), state.retryAt()));
                    } else {
                        TaskScheduler.begin(draft, item);
                    }
                }
            }
            draft.reconsiderItems(task);
        }
    }

    private static TransitionResult retry(NextState draft, String by) {
        boolean any = false;
        for (int task = 0; task < draft.plan().size(); task++) {
            for (WorkItem item : draft.active(task)) {
                if (draft.state(item).waitingFor() == WaitingReason.EXCEPTION_TICKET) {
                    if (!any) {
                        TaskScheduler.resumeForPerson(draft);
                        any = true;
                    }
                    PersonActions.retry(draft, item, by);
                }
            }
        }
        if (!any) {
            return draft.refuse("No task of the instance waits on an exception, so there is nothing to retry.");
        }
        TaskScheduler.settle(draft);
        return draft.decide();
    }
}
