package dev.parley.workflow.attempt.core;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A person's decision on a tool call.
 *
 * @param arguments of an approved call, perhaps edited; empty for a rejected one
 * @param reason of a rejection; null for an approval
 * @param by the person; null if unknown
 * @param at null if unknown
 */
public record CallDecision(
        boolean approved,
        Map<String, @Nullable Object> arguments,
        @Nullable String reason,
        @Nullable String by,
        @Nullable Instant at) {
    public CallDecision {
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    }
}
