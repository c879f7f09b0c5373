package dev.parley.workflow.instance.core;

/**
 * An action or a request that does not fit the instance; HTTP answers it with 409.
 *
 * @param status the instance's present status
 * @param detail a sentence for the one who asked
 */
public record Rejection(InstanceStatus status, String detail) implements TransitionResult {}
