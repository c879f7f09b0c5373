package dev.parley.workflow.attempt.core;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
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

    /** The arguments of the approved call if a person changed a value, else null. */
    public @Nullable EditedArguments edited() {
        return decision == null || !decision.approved() || isSame(arguments, decision.arguments())
                ? null
                : new EditedArguments(decision.arguments(), decision.by(), decision.at());
    }

    /** Equal JSON values. Numbers are compared by value, because each store reads them as other types. */
    private static boolean isSame(@Nullable Object one, @Nullable Object other) {
        if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> otherMap) {
            return map.keySet().equals(otherMap.keySet())
                    && map.entrySet().stream()
                            .allMatch(entry -> isSame(entry.getValue(), otherMap.get(entry.getKey())));
        }
        if (one instanceof List<?> list && other instanceof List<?> otherList) {
            return list.size() == otherList.size()
                    && IntStream.range(0, list.size()).allMatch(i -> isSame(list.get(i), otherList.get(i)));
        }
        if (one instanceof Number number && other instanceof Number otherNumber) {
            return new BigDecimal(number.toString()).compareTo(new BigDecimal(otherNumber.toString())) == 0;
        }
        return Objects.equals(one, other);
    }
}
