package dev.parley.workflow.attempt.core;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a tool call that a person edited before approving it. The tool gets these.
 *
 * @param by the person; null if unknown
 * @param at when the call was approved; null if unknown
 */
public record EditedArguments(
        Map<String, @Nullable Object> arguments,
        @Nullable String by,
        @Nullable Instant at) {
    public EditedArguments {
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    }
}
