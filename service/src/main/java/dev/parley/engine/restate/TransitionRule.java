package dev.parley.engine.restate;

import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.state.InstanceState;
import java.time.Instant;

/** Decides what an event changes; another version of the service may decide otherwise. */
@FunctionalInterface
interface TransitionRule {
    TransitionResult apply(InstanceState state, InstanceEvent event, Instant at);
}
