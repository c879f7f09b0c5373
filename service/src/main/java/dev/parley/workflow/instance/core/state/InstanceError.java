package dev.parley.workflow.instance.core.state;

import dev.parley.workflow.definition.core.document.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * Why an instance FAILED or was TERMINATED: the {@code error} of the instance object.
 *
 * @param task the task that failed; null when the instance was ended by a request
 */
public record InstanceError(@Nullable TaskId task, String error, String detail) {}
