package dev.parley.workflow.instance.run;

import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.InstanceEvent;
import org.jspecify.annotations.Nullable;

/**
 * The end of an execution.
 *
 * @param report the event for the instance
 * @param attempt stored with the change; null for none
 */
public record TaskCompletion(
        InstanceEvent.TaskReport report, @Nullable TaskAttempt attempt) {}
