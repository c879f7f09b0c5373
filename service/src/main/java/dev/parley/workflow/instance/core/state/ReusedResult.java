package dev.parley.workflow.instance.core.state;

import dev.parley.workflow.instance.core.plan.ImmutableMaps;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a task that a rerun takes over from an earlier instance.
 *
 * @param outputs values by output name
 * @param skipped why the task was skipped; null if it ran
 * @param instance the instance in which the task ran or was skipped
 */
public record ReusedResult(
        Map<String, @Nullable Object> outputs, @Nullable SkipReason skipped, String instance) {
    public ReusedResult {
        outputs = ImmutableMaps.copy(outputs);
    }
}
