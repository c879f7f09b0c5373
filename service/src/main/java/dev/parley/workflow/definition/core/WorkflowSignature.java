package dev.parley.workflow.definition.core;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.ExpressionScopes;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.ObjectProperty;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.SystemValue;
import dev.parley.workflow.definition.core.value.ValueType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as a tool, in JSON Schema: its {@code human_input} parameters are the arguments, with the message and the
 * files if it uses them as system values, and the outputs of its last tasks the result.
 */
public record WorkflowSignature(Map<String, Object> inputSchema, Map<String, Object> outputSchema) {
    public WorkflowSignature {
        inputSchema = Map.copyOf(inputSchema);
        outputSchema = Map.copyOf(outputSchema);
    }

    public static WorkflowSignature of(WorkflowDefinition definition) {
        return new WorkflowSignature(inputs(definition), outputs(definition));
    }

    private static Map<String, Object> inputs(WorkflowDefinition definition) {
        record Target(TaskId task, String input) {}
        Set<Target> connected = new HashSet<>();
        definition.connections().forEach(one -> connected.add(new Target(one.toTask(), one.input())));
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (Task task : definition.tasks()) {
            for (InputParameter input : task.inputParameters()) {
                boolean isArgument = input.asksPeople() || isSuppliedByTrigger(input);
                if (isArgument && !connected.contains(new Target(task.id(), input.name()))) {
                    properties.putIfAbsent(input.name(), schema(input));
                    if (input.required() && !required.contains(input.name())) {
                        required.add(input.name());
                    }
                }
            }
        }
        for (Task task : definition.tasks()) {
            addTriggerValues(properties, task.controlFlow().when());
        }
        return Map.of("type", "object", "properties", properties, "required", required, "additionalProperties", false);
    }

    /** Whether it is a system value that the trigger supplies: a sub-workflow has no other message and files. */
    private static boolean isSuppliedByTrigger(InputParameter input) {
        return input.source() == InputSource.SYSTEM_GENERATED
                && input.dataSource().kind() == DataSource.DataSourceKind.MEMORY
                && (input.name().equals(SystemValue.HUMAN_MSG.text())
                        || input.name().equals(SystemValue.FILE_URLS.text()));
    }

    /** The message and the files that a condition reads. */
    private static void addTriggerValues(Map<String, Object> properties, @Nullable String condition) {
        if (ExpressionScopes.readsTrigger(condition, SystemValue.HUMAN_MSG)) {
            properties.putIfAbsent(
                    SystemValue.HUMAN_MSG.text(),
                    Map.of("type", "string", "description", "The message that a condition reads"));
        }
        if (ExpressionScopes.readsTrigger(condition, SystemValue.FILE_URLS)) {
            properties.putIfAbsent(
                    SystemValue.FILE_URLS.text(),
                    Map.of(
                            "type",
                            "array",
                            "items",
                            Map.of("type", "string"),
                            "description",
                            "The files that a condition reads"));
        }
    }

    private static Map<String, Object> schema(InputParameter input) {
        Map<String, Object> schema = schema(input.type(), input.items(), input.properties());
        schema.put("description", input.description());
        return schema;
    }

    private static Map<String, Object> schema(
            ValueType type, @Nullable ArrayItems items, List<ObjectProperty> properties) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", type.jsonType());
        if (items != null) {
            schema.put("items", schema(items.type(), items.items(), items.properties()));
        }
        if (!properties.isEmpty()) {
            Map<String, Object> members = new LinkedHashMap<>();
            properties.forEach(member -> members.put(member.name(), schema(member.type(), null, List.of())));
            schema.put("properties", members);
            schema.put(
                    "required",
                    properties.stream()
                            .filter(ObjectProperty::required)
                            .map(ObjectProperty::name)
                            .toList());
        }
        return schema;
    }

    private static Map<String, Object> outputs(WorkflowDefinition definition) {
        TaskGraph graph = TaskGraph.of(definition);
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Task task : definition.tasks()) {
            if (graph.successors(task.id()).isEmpty()) {
                for (OutputParameter output : task.expectedOutput()) {
                    boolean isTaken = properties.containsKey(output.name());
                    properties.put(isTaken ? task.id() + "." + output.name() : output.name(), schema(task, output));
                }
            }
        }
        return Map.of("type", "object", "properties", properties);
    }

    private static Map<String, Object> schema(Task task, OutputParameter output) {
        Map<String, Object> value = new LinkedHashMap<>();
        // An ignored error and a skipped task leave null.
        value.put("type", List.of(output.type().valueType().jsonType(), "null"));
        if (output.type() == OutputType.DATETIME) {
            value.put("format", "date-time");
        }
        if (task.controlFlow().forEach() == null) {
            value.put("description", output.description());
            return value;
        }
        return Map.of("type", "array", "items", value, "description", output.description());
    }
}
