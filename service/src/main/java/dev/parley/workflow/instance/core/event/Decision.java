package dev.parley.workflow.instance.core.event;

import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.core.state.InstanceState;
import java.util.List;

/**
 * The result of an applied event.
 *
 * @param state the next state; the same object when nothing changed, for example after a stale report
 * @param effects what to do after the state is stored, in order; a recovery has effects without a change
 * @param delta the change, for the log; empty when nothing changed
 */
public record Decision(InstanceState state, List<Effect> effects, InstanceDelta delta) implements TransitionResult {
    public Decision {
        effects = List.copyOf(effects);
    }

    /** Whether there is something to store. A repeated question counts, because it is stored with its message. */
    public boolean isChange() {
        return !delta.isEmpty() || asks(effects);
    }

    public static boolean asks(List<Effect> effects) {
        return effects.stream().anyMatch(effect -> effect instanceof Effect.AskUser);
    }
}
