package dev.parley.workflow.task.app;

import dev.parley.http.json.StrictJson;
import dev.parley.problem.Violation;
import dev.parley.tool.catalog.Tool;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.ExpressionScopes;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.definition.core.value.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts a task's inputs to a tool's arguments: by name, with the types of the tool's schema. */
final class ToolArguments {
    private ToolArguments() {}

    /**
     * Inputs without a value are omitted, and so are those that the task's control flow reads and that the tool neither
     * declares nor accepts. A value that the value rules cannot convert stays unchanged, and the schema reports it. In a
     * repeated task, {@code previous.<name>} replaces the argument {@code <name>} from the second run on.
     */
    static Map<String, @Nullable Object> of(Map<String, @Nullable Object> inputs, Tool tool, ControlFlow flow) {
        Map<?, ?> properties =
                StrictJson.readObject(tool.inputSchema().text()).get("properties") instanceof Map<?, ?> map
                        ? map
                        : Map.of();
        Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
        Map<String, @Nullable Object> previous = new LinkedHashMap<>();
        Map<String, @Nullable Object> undeclared = new LinkedHashMap<>();
        Set<String> ofFlow = ExpressionScopes.inputsOf(flow);
        inputs.forEach((name, value) -> {
            String argument = ExpressionScopes.argument(name, properties.keySet());
            if (value != null && ofFlow.contains(name) && !properties.containsKey(argument)) {
                undeclared.put(name, value);
            } else if (value != null) {
                (argument.equals(name) ? arguments : previous).put(argument, fitted(value, properties.get(argument)));
            }
        });
        arguments.putAll(previous);
        undeclared.forEach((name, value) -> {
            int violations = tool.check(arguments, "").size();
            arguments.put(name, value);
            if (tool.check(arguments, "").size() > violations) {
                arguments.remove(name);
            }
        });
        return arguments;
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
