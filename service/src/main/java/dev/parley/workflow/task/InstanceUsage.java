package dev.parley.workflow.task;

import dev.parley.id.ApiKeyId;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.part.UsageLimits;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How much the models of an instance have used.
 *
 * @param limits the definition's limits of the instance
 * @param apiKey the key that started the instance; null for none
 * @param used by all attempts so far, including those in progress
 */
public record InstanceUsage(UsageLimits limits, @Nullable ApiKeyId apiKey, Supplier<ModelUsage> used) {}
