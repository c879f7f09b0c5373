package dev.parley.engine.restate;

import dev.parley.engine.restate.EngineMessages.ChangeReply;
import dev.parley.workflow.instance.core.event.Decision;

/** The result of an event. */
sealed interface AppliedEvent {
    record Decided(Decision decision) implements AppliedEvent {}

    /** @param reply why nothing changed */
    record Refused(ChangeReply reply) implements AppliedEvent {}
}
