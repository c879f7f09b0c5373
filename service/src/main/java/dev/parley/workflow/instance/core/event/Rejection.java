package dev.parley.workflow.instance.core.event;

import dev.parley.workflow.instance.core.state.InstanceStatus;

/**
 * An action or a request that does not fit the state of the instance; HTTP returns 409.
 *
 * @param status the instance's current status
 * @param detail a sentence for the client
 */
public record Rejection(InstanceStatus status, String detail) implements TransitionResult {}
