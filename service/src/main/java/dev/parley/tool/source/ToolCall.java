package dev.parley.tool.source;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call of a tool.
 *
 * @param arguments by name, already validated against the tool's schema
 * @param idempotencyKey passed to the tool; the same for every call that must take effect only once
 */
public record ToolCall(Map<String, @Nullable Object> arguments, String idempotencyKey, Deadline deadline) {
    public ToolCall {
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    }
}
