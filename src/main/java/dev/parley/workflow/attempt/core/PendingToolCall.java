package dev.parley.workflow.attempt.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool call of a model that a person has to approve.
 *
 * @param position of the call in the task's journal
 * @param tool the name of the tool in the catalogue
 * @param arguments as the model requested them
 * @param decision null until a person has decided
 */
public record PendingToolCall(
        int position,
        int toolId,
        String tool,
        Map<String, @Nullable Object> arguments,
        @Nullable CallDecision decision) {
    public PendingToolCall {
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    }

    public PendingToolCall with(CallDecision made) {
        return new PendingToolCall(position, toolId, tool, arguments, made);
    }

    /** Whether both are the same call. A journal gives no position to two calls. */
    public boolean isSameCall(PendingToolCall other) {
        return position == other.position && toolId == other.toolId;
    }
}
