package dev.parley.workflow.attempt.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A person's decision on a tool call.
 *
 * @param arguments of an approved call, perhaps edited; empty for a rejected one
 * @param reason of a rejection; null for an approval
 */
public record CallDecision(
        boolean approved,
        Map<String, @Nullable Object> arguments,
        @Nullable String reason) {
    public CallDecision {
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    }
}
