package dev.parley.workflow.instance.store;

import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.core.state.InstanceState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of an instance before it is stored. It is stored completely, or not at all if another writer was first.
 *
 * @param creates whether this is the instance's first change
 * @param event name of the event, for the history
 * @param actor the origin of the event, in the format of {@code created_by}
 * @param effects of the decision; tickets, messages and events are stored with the change
 * @param attempt the attempt of a task that this change ended; null for none
 */
public record InstanceChange(
        InstanceHeader header,
        boolean creates,
        String event,
        String actor,
        InstanceState state,
        InstanceDelta delta,
        List<Effect> effects,
        @Nullable TaskAttempt attempt,
        @Nullable Companion companion) {
    private static final String SYSTEM = "system";

    public InstanceChange {
        effects = List.copyOf(effects);
    }

    public static InstanceChange start(InstanceHeader header, Decision decision, @Nullable Companion companion) {
        return new InstanceChange(
                header,
                true,
                "Started",
                header.createdBy(),
                decision.state(),
                decision.delta(),
                decision.effects(),
                null,
                companion);
    }

    public static InstanceChange of(
            InstanceHeader header,
            InstanceEvent event,
            Decision decision,
            @Nullable TaskAttempt attempt,
            @Nullable Companion companion) {
        return new InstanceChange(
                header,
                false,
                StoredNames.of(event),
                actor(event),
                decision.state(),
                decision.delta(),
                decision.effects(),
                attempt,
                companion);
    }

    public StoredInstance after() {
        return new StoredInstance(header, state);
    }

    /** The state before an instance's first change, which is little more than the trigger; the log adds to it. */
    public InstanceState firstState() {
        return InstanceState.create(state.plan(), state.trigger(), header.createdAt());
    }

    /** The status steps, in order. */
    public List<Effect.StatusChanged> steps() {
        return effects.stream()
                .filter(Effect.StatusChanged.class::isInstance)
                .map(Effect.StatusChanged.class::cast)
                .toList();
    }

    private static String actor(InstanceEvent event) {
        return switch (event) {
            case InstanceEvent.TicketActionEvent action -> action.by();
            case InstanceEvent.UserReplied reply -> "message:" + reply.messageId();
            case InstanceEvent.EventReceived received -> received.by();
            case InstanceEvent.PauseRequested request -> request.by();
            case InstanceEvent.ResumeRequested request -> request.by();
            case InstanceEvent.RetryRequested request -> request.by();
            case InstanceEvent.CancelRequested request -> request.by();
            case InstanceEvent.Terminated request -> request.by();
            case InstanceEvent.InstanceStarted _,
                    InstanceEvent.TimeLimitReached _,
                    InstanceEvent.Recovered _,
                    InstanceEvent.WaitEnded _,
                    InstanceEvent.SubWorkflowEnded _,
                    InstanceEvent.TaskSuspended _,
                    InstanceEvent.ApprovalRequested _,
                    InstanceEvent.TaskSucceeded _,
                    InstanceEvent.TaskFailed _,
                    InstanceEvent.InputsFetched _,
                    InstanceEvent.RetryDue _ -> SYSTEM;
        };
    }
}
