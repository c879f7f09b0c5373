package dev.parley.workflow.instance.core.plan;

import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.ObjectProperty;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.definition.core.value.ValueType;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Coerces the inputs of the tasks that start in one transition. A value that several of them get is coerced once for
 * each type, and shared: 1,000 tasks that get the same megabyte would otherwise exhaust the memory. Only further types of
 * the same value are limited, because the values themselves are.
 */
public final class InputCoercion {
    public static final String TOO_MANY_VALUES =
            "The tasks that start at the same time get more than 4,000,000 values again as" + " another type.";

    /** The values, with all that they contain, that may be coerced to a further type in one transition. */
    private static final long MAX_REPEATED_VALUES = 4_000_000;

    /** A text is not copied, only read. */
    private static final int CHARACTERS_PER_VALUE = 100;

    /** @param ofItems whether the value comes from a task that runs for each item */
    private record TargetType(
            ValueType type, @Nullable ArrayItems items, List<ObjectProperty> properties, boolean ofItems) {}

    private final IdentityHashMap<Object, Map<TargetType, Object>> coerced = new IdentityHashMap<>();
    private long repeatedValues;

    public @Nullable Object coerce(
            InputParameter input, @Nullable Object value, boolean ofItems, JsonPointer at, List<Violation> violations) {
        boolean isLarge = value instanceof List || value instanceof Map || value instanceof String;
        if (value == null || !isLarge) {
            return ValueRules.input(input, value, at, violations);
        }
        var target = new TargetType(input.type(), input.items(), input.properties(), ofItems);
        Map<TargetType, Object> ofValue = coerced.get(value);
        if (ofValue == null) {
            ofValue = new HashMap<>();
            coerced.put(value, ofValue);
        } else if (ofValue.containsKey(target)) {
            return ofValue.get(target);
        } else {
            repeatedValues += count(value);
            if (repeatedValues > MAX_REPEATED_VALUES) {
                violations.add(
                        new Violation(Violation.INVALID_VALUE, ViolationCode.TOO_MANY, at.toString(), TOO_MANY_VALUES));
                return null;
            }
        }
        int before = violations.size();
        Object result = ofItems
                ? ValueRules.inputFromItems(input, value, at, violations)
                : ValueRules.input(input, value, at, violations);
        if (result != null && violations.size() == before) {
            ofValue.put(target, result);
        }
        return result;
    }

    /** Resolves inputs that a task already got once, so that it gets them again. */
    public <T> T withoutLimit(Supplier<T> resolution) {
        long before = repeatedValues;
        repeatedValues = Long.MIN_VALUE;
        try {
            return resolution.get();
        } finally {
            repeatedValues = before;
        }
    }

    private static long count(@Nullable Object value) {
        return switch (value) {
            case List<?> items ->
                1 + items.stream().mapToLong(InputCoercion::count).sum();
            case Map<?, ?> members ->
                1 + members.values().stream().mapToLong(InputCoercion::count).sum();
            case String text -> 1 + text.length() / CHARACTERS_PER_VALUE;
            case null, default -> 1;
        };
    }
}
