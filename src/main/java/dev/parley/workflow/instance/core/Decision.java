package dev.parley.workflow.instance.core;

import java.util.List;

/**
 * An event that was applied.
 *
 * @param state the next state; the very same object when nothing changed, as for a stale report
 * @param effects what to do after the state is stored, in order; there may be some without a change (a recovery)
 * @param delta what changed, for the log; empty when nothing did
 */
public record Decision(InstanceState state, List<Effect> effects, InstanceDelta delta) implements TransitionResult {
    public Decision {
        effects = List.copyOf(effects);
    }

    /** Whether there is something to store: also a question that is asked again, with the message that it goes with. */
    public boolean isChange() {
        return !delta.isEmpty() || asks(effects);
    }

    static boolean asks(List<Effect> effects) {
        return effects.stream().anyMatch(effect -> effect instanceof Effect.AskUser);
    }
}
