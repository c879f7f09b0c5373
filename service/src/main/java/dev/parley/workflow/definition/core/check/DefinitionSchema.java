package dev.parley.workflow.definition.core.check;

import static dev.parley.workflow.definition.core.document.SchemaParts.arrayOf;
import static dev.parley.workflow.definition.core.document.SchemaParts.map;
import static dev.parley.workflow.definition.core.document.SchemaParts.name;
import static dev.parley.workflow.definition.core.document.SchemaParts.ofType;
import static dev.parley.workflow.definition.core.document.SchemaParts.ref;
import static dev.parley.workflow.definition.core.document.SchemaParts.requiring;
import static dev.parley.workflow.definition.core.document.SchemaParts.text;
import static dev.parley.workflow.definition.core.document.SchemaParts.when;
import static dev.parley.workflow.definition.core.document.SchemaParts.with;
import static dev.parley.workflow.definition.core.document.SchemaParts.words;

import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.EnumNames;
import dev.parley.workflow.definition.core.document.ObjectShape;
import dev.parley.workflow.definition.core.part.AgentTool;
import dev.parley.workflow.definition.core.part.UsageLimits;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON Schema (draft 2020-12) of the agent document, built from the declarations that the readers use. It describes
 * the document's shape, for editors and early checks by clients; connections, cycles, duplicate names and references are
 * left to the validator. The validator rejects every document that the schema rejects.
 */
public final class DefinitionSchema {
    private DefinitionSchema() {}

    /** The schema as a tree of plain values. */
    public static Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> schema = map(
                "$schema",
                "https://json-schema.org/draft/2020-12/schema",
                "title",
                "Parley workflow definition",
                "description",
                "The agent document: the body of POST …/workflows and the response of GET …/workflows/{id}.");
        schema.putAll(DefinitionValidator.WORKFLOW.schema());
        Map<String, @Nullable Object> defs = map();
        defs.put("assignment_rule", AssignmentReader.RULE.schema());
        defs.put("task", task());
        TaskReader.TASKS.forEach((kind, shape) -> defs.put(definition(kind), task(kind, shape)));
        defs.put("input_parameter", inputParameter());
        defs.put("items", items());
        defs.put("property", InputReader.OBJECT_PROPERTY.schema());
        defs.put("row_filter", FilterReader.FILTER.schema());
        defs.put("output_parameter", outputParameter());
        defs.put("for_each", ControlFlowReader.FOR_EACH_SHAPE.schema());
        defs.put("repeat", ControlFlowReader.REPEAT_SHAPE.schema());
        defs.put(
                "agent_tool",
                with(
                        AgentTool.SHAPE.schema(),
                        "allOf",
                        List.of(when(
                                "approval",
                                EnumNames.lowerCase(AgentTool.ApprovalRule.WHEN),
                                requiring("when", AgentTool.WHEN.schema())))));
        defs.put("limits", UsageLimits.SHAPE.schema());
        defs.put("connection", ConnectionValidator.CONNECTION.schema());
        defs.put("dependency", ConnectionValidator.DEPENDENCY.schema());
        schema.put("$defs", defs);
        return schema;
    }

    private static String definition(TaskKind kind) {
        return kind.text().toLowerCase(Locale.ROOT) + "_task";
    }

    /** The schema of a task by its kind. Uses {@code if}, so that an error names the field rather than the kinds. */
    private static Map<String, @Nullable Object> task() {
        return map(
                "type",
                "object",
                "required",
                List.of("kind"),
                "properties",
                map("kind", words(TaskKind.BY_TEXT.keySet())),
                "allOf",
                Arrays.stream(TaskKind.values())
                        .map(kind -> when("kind", kind.text(), ref(definition(kind))))
                        .toList());
    }

    private static Map<String, @Nullable Object> task(TaskKind kind, ObjectShape shape) {
        List<String> own =
                kind.ownProperties().stream().map(DocumentProperty::name).toList();
        return with(
                shape.schema(),
                "required",
                shape.required().stream()
                        .sorted(Comparator.comparing(own::contains))
                        .toList());
    }

    private static Map<String, @Nullable Object> inputParameter() {
        List<Object> rules = new ArrayList<>();
        for (ValueType type : ValueType.values()) {
            List<String> required = type == ValueType.ARRAY ? List.of("items") : List.of();
            rules.add(when("type", type.name(), map("properties", typeFields(type), "required", required)));
        }
        rules.add(when(
                "data_source",
                DataSource.DataSourceKind.DATA_LAKE.name(),
                map(
                        "properties",
                        map("type", map("const", ValueType.ARRAY.name()), "data_lake_id", text(DefinitionLimits.NAME)),
                        "required",
                        List.of("data_lake_id"))));
        return with(InputReader.INPUT.schema(), "allOf", rules);
    }

    private static Map<String, @Nullable Object> items() {
        return with(
                InputReader.ARRAY_ITEMS.schema(),
                "allOf",
                List.of(
                        when("type", ValueType.ARRAY.name(), requiring("items", ref("items"))),
                        when("type", ValueType.OBJECT.name(), requiring("properties", arrayOf("property")))));
    }

    private static Map<String, @Nullable Object> outputParameter() {
        List<Object> basic = Arrays.stream(OutputType.values())
                .filter(type -> !type.isFile())
                .<Object>map(type -> when("type", type.name(), requiring("name", name())))
                .toList();
        return with(TaskReader.OUTPUT.schema(), "allOf", basic);
    }

    /** The fields that depend on the type: the value rules, to the extent that a schema can express them. */
    private static Map<String, @Nullable Object> typeFields(ValueType type) {
        Map<String, @Nullable Object> fields = map();
        fields.put(
                "value",
                switch (type) {
                    case BOOLEAN -> map("enum", Arrays.asList(true, false, "true", "false", null));
                    case INTEGER, FLOAT -> ofType(type.jsonType(), "string", "null");
                    case STRING, ARRAY, OBJECT -> ofType(type.jsonType(), "null");
                });
        fields.put("items", type == ValueType.ARRAY ? ref("items") : ofType("null"));
        if (type != ValueType.OBJECT) {
            fields.put("properties", ofType("null"));
        }
        return fields;
    }
}
