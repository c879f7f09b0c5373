package dev.parley.workflow.task;

import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.part.UsageLimits;
import java.util.function.Supplier;

/**
 * How much the models of an instance have used.
 *
 * @param limits the definition's limits of the instance
 * @param used by all attempts so far, including those in progress
 */
public record InstanceUsage(UsageLimits limits, Supplier<ModelUsage> used) {}
