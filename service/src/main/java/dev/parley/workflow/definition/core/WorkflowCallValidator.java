package dev.parley.workflow.definition.core;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.PlainJson;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.ExpressionScopes;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.ObjectProperty;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Checks the App tasks that run a workflow against the workflow as it is published now: a later version may have other
 * inputs and outputs, which the call then reports.
 */
final class WorkflowCallValidator {
    private final WorkflowSignature workflow;
    private final ControlFlow flow;
    private final ObjectReader task;
    private final ViolationCollector violations;

    WorkflowCallValidator(WorkflowSignature workflow, ControlFlow flow, ObjectReader task) {
        this.workflow = workflow;
        this.flow = flow;
        this.task = task;
        this.violations = task.violations();
    }

    void check(List<ReadTask.ReadInput> inputs, List<ReadTask.ReadOutput> outputs) {
        Map<?, ?> arguments = properties(workflow.inputSchema());
        Set<String> ofFlow = ExpressionScopes.inputsOf(flow);
        for (ReadTask.ReadInput input : inputs) {
            String name = input.name();
            String argument = name == null ? null : ExpressionScopes.argument(name, arguments.keySet());
            if (name == null || argument == null) {
                continue;
            }
            if (arguments.get(argument) instanceof Map<?, ?> schema) {
                checkType(input, name, schema);
            } else if (!ofFlow.contains(name)) {
                violations.invalid(
                        ViolationCode.NOT_FOUND,
                        input.at().to("name"),
                        "The workflow that %s runs has no input '%s'.".formatted(task.owner(), PlainJson.shown(name)),
                        Map.of("input", PlainJson.shown(name)));
            }
        }
        Map<?, ?> results = properties(workflow.outputSchema());
        outputs.forEach(output -> checkOutput(output, results, outputs.size() == 1));
    }

    private static Map<?, ?> properties(Map<String, Object> schema) {
        return schema.get("properties") instanceof Map<?, ?> properties ? properties : Map.of();
    }

    private void checkType(ReadTask.ReadInput input, String name, Map<?, ?> schema) {
        InputParameter parameter = input.parameter();
        if (parameter == null) {
            return;
        }
        ControlFlow.ForEach forEach = flow.forEach();
        ArrayItems items = parameter.items();
        boolean isItem = forEach != null && forEach.input().equals(name) && items != null;
        ArrayItems value = isItem
                ? Objects.requireNonNull(items)
                : new ArrayItems(parameter.type(), items, parameter.properties());
        if (!fits(value, schema)) {
            violations.invalid(
                    ViolationCode.TYPE_MISMATCH,
                    input.at().to("type"),
                    "The input '%s' of %s is of %s, and the workflow that it runs accepts %s."
                            .formatted(
                                    PlainJson.shown(name),
                                    task.owner(),
                                    isItem ? "items of type " + value.type() : "type " + value.type(),
                                    described(schema)),
                    Map.of("from", value.type().name(), "to", described(schema)));
        }
    }

    private static boolean fits(ArrayItems value, Map<?, ?> schema) {
        Object wanted = schema.get("type");
        ArrayItems items = value.items();
        boolean isOfType = value.type().jsonType().equals(wanted)
                || (value.type() == ValueType.INTEGER && "number".equals(wanted));
        return isOfType
                && (items == null || !(schema.get("items") instanceof Map<?, ?> each) || fits(items, each))
                && (value.type() != ValueType.OBJECT || fitMembers(value.properties(), schema));
    }

    /** An object without declared properties may have any. */
    private static boolean fitMembers(List<ObjectProperty> declared, Map<?, ?> schema) {
        Map<?, ?> wanted = schema.get("properties") instanceof Map<?, ?> properties ? properties : Map.of();
        boolean hasRequired = declared.isEmpty()
                || !(schema.get("required") instanceof List<?> required)
                || required.stream().allMatch(name -> declared.stream()
                        .anyMatch(member -> member.name().equals(name)));
        return hasRequired
                && declared.stream()
                        .allMatch(member -> !(wanted.get(member.name()) instanceof Map<?, ?> one)
                                || fits(new ArrayItems(member.type(), null, List.of()), one));
    }

    /** @param isOnly the only output, which gets the whole result if none has its name; so do files */
    private void checkOutput(ReadTask.ReadOutput output, Map<?, ?> results, boolean isOnly) {
        String name = output.name();
        OutputType type = output.type();
        if (name == null || type == null) {
            return;
        }
        if (!(results.get(name) instanceof Map<?, ?> schema)) {
            if (isOnly || type.isFile()) {
                return;
            }
            violations.invalid(
                    ViolationCode.NOT_FOUND,
                    output.at().to("name"),
                    "The workflow that %s runs has no output '%s'.".formatted(task.owner(), PlainJson.shown(name)),
                    Map.of("output", PlainJson.shown(name)));
        } else if (!gives(schema, type)) {
            violations.invalid(
                    ViolationCode.TYPE_MISMATCH,
                    output.at().to("type"),
                    "The output '%s' of %s is of type %s, and the workflow that it runs returns %s."
                            .formatted(PlainJson.shown(name), task.owner(), type, described(schema)),
                    Map.of("from", described(schema), "to", type.name()));
        }
    }

    /** A text accepts every value, as JSON. */
    private static boolean gives(Map<?, ?> schema, OutputType type) {
        String result = typeOf(schema);
        return switch (type) {
            case FLOAT -> result.equals("integer") || result.equals("number");
            case DATETIME -> result.equals("string") && "date-time".equals(schema.get("format"));
            case STRING -> true;
            default -> result.equals(type.valueType().jsonType());
        };
    }

    /** An output may be null, so its type is a list. */
    private static String typeOf(Map<?, ?> schema) {
        Object type = schema.get("type");
        return String.valueOf(type instanceof List<?> types ? types.getFirst() : type);
    }

    private static String described(Map<?, ?> schema) {
        if (schema.get("format") != null) {
            return "DATETIME";
        }
        return switch (typeOf(schema)) {
            case "number" -> "FLOAT";
            case "array" -> schema.get("items") instanceof Map<?, ?> items ? "ARRAY of " + described(items) : "ARRAY";
            case String other -> other.toUpperCase(Locale.ROOT);
        };
    }
}
