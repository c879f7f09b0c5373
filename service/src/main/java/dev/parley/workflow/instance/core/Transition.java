package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.core.state.InstanceState;
import java.time.Instant;
import java.util.List;

/**
 * Computes the result of an event. Pure and total: it reads no clock and no store, returns the same result for the same
 * arguments, and has a result for every state and event. Every rule of statuses, dependencies, retries, tickets and
 * outputs is here or in the classes that it delegates to: {@link InstanceLifecycle}, {@link TaskReports},
 * {@link PersonActions}, {@link ClientRequests}, {@link TaskScheduler}, {@link TaskFailures} and {@link InputRequests}.
 */
public final class Transition {
    private Transition() {}

    /**
     * @param now the engine's time; a time before the state's last change counts as that change's time
     * @return a {@link Decision}, with the same state object when nothing changed, or for people and clients a
     *     {@link Rejection}
     */
    public static TransitionResult apply(InstanceState state, InstanceEvent event, Instant now) {
        if (state.status().isTerminal()) {
            return unfit(state, event, "The instance is " + state.status() + ", which is final.");
        }
        if (state.version() == 0 && !(event instanceof InstanceEvent.LifecycleEvent)) {
            return unfit(state, event, "The instance has not started yet.");
        }
        NextState next = new NextState(state, now);
        return switch (event) {
            case InstanceEvent.LifecycleEvent lifecycle -> InstanceLifecycle.apply(next, lifecycle);
            case InstanceEvent.TaskReport report -> TaskReports.apply(next, report);
            case InstanceEvent.PersonAction action -> PersonActions.apply(next, action);
            case InstanceEvent.ClientRequest request -> ClientRequests.apply(next, request);
        };
    }

    /** Whether the task or item to which a key belongs has started and not ended. */
    public static boolean isInProgress(InstanceState state, TaskId id, String idempotencyKey) {
        if (state.status().isTerminal() || !state.plan().has(id)) {
            return false;
        }
        var next = new NextState(state, state.updatedAt());
        return next.active(state.plan().number(id)).stream()
                .anyMatch(item -> !next.state(item).status().isTerminal() && next.isKeyOf(item, idempotencyKey));
    }

    /** Before the start and after the end, reports are stale; people and clients get a rejection. */
    private static TransitionResult unfit(InstanceState state, InstanceEvent event, String detail) {
        return switch (event) {
            case InstanceEvent.LifecycleEvent _, InstanceEvent.TaskReport _ ->
                new Decision(state, List.of(), InstanceDelta.none(state));
            case InstanceEvent.PersonAction _, InstanceEvent.ClientRequest _ -> new Rejection(state.status(), detail);
        };
    }
}
