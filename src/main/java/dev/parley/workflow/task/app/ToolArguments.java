package dev.parley.workflow.task.app;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.ExpressionScopes;
import dev.parley.workflow.definition.core.JsonPointer;
import dev.parley.workflow.definition.core.ValueRules;
import dev.parley.workflow.definition.core.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a task's inputs to a tool's arguments: by name, with the types of the tool's schema. */
final class ToolArguments {
    private ToolArguments() {}

    /**
     * Inputs without a value are omitted. A value that the value rules cannot convert stays unchanged, and the schema
     * reports it. In a repeated task, {@code previous.<name>} replaces the argument {@code <name>} from the second run
     * on.
     */
    static Map<String, @Nullable Object> of(Map<String, @Nullable Object> inputs, Map<String, Object> schema) {
        Map<?, ?> properties = schema.get("properties") instanceof Map<?, ?> map ? map : Map.of();
        Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
        Map<String, @Nullable Object> previous = new LinkedHashMap<>();
        inputs.forEach((name, value) -> {
            String argument = argument(name, properties);
            if (value != null) {
                (argument.equals(name) ? arguments : previous).put(argument, fitted(value, properties.get(argument)));
            }
        });
        arguments.putAll(previous);
        return arguments;
    }

    private static String argument(String input, Map<?, ?> properties) {
        String name = input.startsWith(ExpressionScopes.PREVIOUS)
                ? input.substring(ExpressionScopes.PREVIOUS.length())
                : input;
        return properties.containsKey(input) || !properties.containsKey(name) ? input : name;
    }

    private static Object fitted(Object value, @Nullable Object schema) {
        ValueType wanted = schema instanceof Map<?, ?> map && value instanceof String ? type(map.get("type")) : null;
        if (wanted == null) {
            return value;
        }
        List<Violation> violations = new ArrayList<>();
        Object coerced = ValueRules.coerce(wanted, null, List.of(), value, JsonPointer.ROOT, violations);
        return coerced == null || !violations.isEmpty() ? value : coerced;
    }

    /** The type to which the value rules may convert a string. */
    private static @Nullable ValueType type(@Nullable Object type) {
        return switch (type) {
            case String text when text.equals("integer") -> ValueType.INTEGER;
            case String text when text.equals("number") -> ValueType.FLOAT;
            case String text when text.equals("boolean") -> ValueType.BOOLEAN;
            case null, default -> null;
        };
    }
}
