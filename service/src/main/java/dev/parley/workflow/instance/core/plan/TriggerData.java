package dev.parley.workflow.instance.core.plan;

import dev.parley.workflow.instance.core.InputResolver;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data that started an instance; it never changes.
 *
 * @param humanMessage the message that triggered the workflow, {@code human_msg}; null for none
 * @param inputs the trigger's values for {@code human_input} parameters by name, validated by
 *     {@link InputResolver#check}
 * @param conversationId null for an instance that was triggered without a conversation
 * @param startedAt in whole milliseconds
 */
public record TriggerData(
        @Nullable String humanMessage,
        List<String> fileUrls,
        Map<String, @Nullable Object> inputs,
        @Nullable String conversationId,
        String instanceId,
        String organizationId,
        Instant startedAt) {
    public TriggerData {
        fileUrls = List.copyOf(fileUrls);
        inputs = ImmutableMaps.copy(inputs);
        startedAt = startedAt.truncatedTo(ChronoUnit.MILLIS);
    }
}
