package dev.parley.workflow.definition;

import static dev.parley.workflow.definition.OrderedJson.map;
import static dev.parley.workflow.definition.SchemaParts.arrayOf;
import static dev.parley.workflow.definition.SchemaParts.integerId;
import static dev.parley.workflow.definition.SchemaParts.name;
import static dev.parley.workflow.definition.SchemaParts.object;
import static dev.parley.workflow.definition.SchemaParts.ofType;
import static dev.parley.workflow.definition.SchemaParts.optional;
import static dev.parley.workflow.definition.SchemaParts.ref;
import static dev.parley.workflow.definition.SchemaParts.requiring;
import static dev.parley.workflow.definition.SchemaParts.taskId;
import static dev.parley.workflow.definition.SchemaParts.text;
import static dev.parley.workflow.definition.SchemaParts.when;
import static dev.parley.workflow.definition.SchemaParts.with;
import static dev.parley.workflow.definition.SchemaParts.words;

import dev.parley.datalake.core.RowFilter;
import dev.parley.workflow.definition.core.AssignmentRule;
import dev.parley.workflow.definition.core.DataSource;
import dev.parley.workflow.definition.core.DefinitionLimits;
import dev.parley.workflow.definition.core.ErrorPolicy;
import dev.parley.workflow.definition.core.InputSource;
import dev.parley.workflow.definition.core.OutputType;
import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.definition.core.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON Schema (draft 2020-12) of the agent document, built from the enums and limits of the validator, so that they
 * cannot diverge. It describes the document's shape, for editors and early checks by clients; connections, cycles,
 * duplicate names and references are left to the validator. The validator rejects every document that the schema
 * rejects.
 */
public final class DefinitionSchema {
    /** The media type under which JSON Schemas are served. */
    public static final String MEDIA_TYPE = "application/schema+json";

    private static final List<String> TASK_IN_ORDER =
            List.of("id", "kind", "name", "instructions", "input_parameters", "expected_output");

    private DefinitionSchema() {}

    /** The schema as a tree of plain values; {@link DefinitionJson#pretty} writes it. */
    public static Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> schema = map();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "Parley workflow definition");
        schema.put(
                "description",
                "The agent document: the body of POST …/workflows and the response of GET " + "…/workflows/{id}.");
        schema.putAll(root());
        Map<String, @Nullable Object> defs = map();
        defs.put("assignment_rule", assignmentRule());
        defs.put("task", task());
        for (TaskKind kind : TaskKind.values()) {
            defs.put(kind.text().toLowerCase(Locale.ROOT) + "_task", task(kind));
        }
        defs.put("input_parameter", inputParameter());
        defs.put("items", items());
        defs.put("property", property());
        defs.put("row_filter", rowFilter());
        defs.put("output_parameter", outputParameter());
        defs.put("connection", connection());
        defs.put("dependency", object(List.of("from", "to"), map("from", taskId(), "to", taskId())));
        schema.put("$defs", defs);
        return schema;
    }

    private static Map<String, @Nullable Object> root() {
        Map<String, @Nullable Object> fields = map();
        fields.put("name", name());
        fields.put("description", optional(map("type", "string", "maxLength", DefinitionLimits.DESCRIPTION)));
        fields.put("assignment_rules", with(arrayOf("assignment_rule"), "minItems", 1));
        fields.put("tasks", with(with(arrayOf("task"), "minItems", 1), "maxItems", DefinitionLimits.TASKS));
        fields.put("connections", optional(arrayOf("connection")));
        fields.put("dependencies", optional(arrayOf("dependency")));
        return object(List.of("name", "assignment_rules", "tasks"), fields);
    }

    private static Map<String, @Nullable Object> assignmentRule() {
        Map<String, @Nullable Object> fields = map();
        fields.put("rule_type", words(AssignmentRule.RuleType.values(), AssignmentRule.RuleType::text));
        fields.put(
                "assignment_type", words(AssignmentRule.AssignmentType.values(), AssignmentRule.AssignmentType::text));
        fields.put(
                "assignee_id",
                with(text(DefinitionLimits.NAME), "description", "A user's id, or a team's integer id, as a string."));
        return object(List.copyOf(fields.keySet()), fields);
    }

    /** The schema of a task by its kind. Uses {@code if}, so that an error names the field rather than the kinds. */
    private static Map<String, @Nullable Object> task() {
        Map<String, @Nullable Object> schema = map();
        schema.put("type", "object");
        schema.put("required", List.of("kind"));
        schema.put("properties", map("kind", words(TaskKind.values(), TaskKind::text)));
        schema.put(
                "allOf",
                Arrays.stream(TaskKind.values())
                        .map(kind -> when("kind", kind.text(), ref(kind.text().toLowerCase(Locale.ROOT) + "_task")))
                        .toList());
        return schema;
    }

    private static Map<String, @Nullable Object> task(TaskKind kind) {
        Map<String, @Nullable Object> fields = map();
        fields.put("id", taskId());
        fields.put("kind", map("const", kind.text()));
        fields.put("name", name());
        fields.put("instructions", text(DefinitionLimits.INSTRUCTIONS));
        fields.put("error_policy", optional(words(ErrorPolicy.values(), ErrorPolicy::name)));
        for (String own : kind.ownFields().stream().sorted().toList()) {
            fields.put(own, own.endsWith("_id") ? integerId() : text(DefinitionLimits.NAME));
        }
        for (String own : kind.optionalFields()) {
            fields.put(own, optional(map("type", "integer", "minimum", 1, "maximum", DefinitionLimits.DUE_IN_MINUTES)));
        }
        if (kind.mayUseTools()) {
            fields.put(
                    "tools",
                    optional(map(
                            "type",
                            "array",
                            "items",
                            integerId(),
                            "maxItems",
                            DefinitionLimits.TOOLS,
                            "uniqueItems",
                            true)));
        }
        Map<String, @Nullable Object> inputs = arrayOf("input_parameter");
        Map<String, @Nullable Object> outputs = arrayOf("output_parameter");
        fields.put("input_parameters", kind.parametersRequired() ? inputs : optional(inputs));
        fields.put("expected_output", kind.parametersRequired() ? outputs : optional(outputs));
        List<String> required = new ArrayList<>(TASK_IN_ORDER);
        if (!kind.parametersRequired()) {
            required.removeAll(List.of("input_parameters", "expected_output"));
        }
        required.addAll(kind.ownFields().stream().sorted().toList());
        return object(required, fields);
    }

    private static Map<String, @Nullable Object> inputParameter() {
        Map<String, @Nullable Object> fields = map();
        fields.put("name", name());
        fields.put("type", words(ValueType.values(), ValueType::name));
        fields.put("description", text(DefinitionLimits.DESCRIPTION));
        fields.put("required", optional(ofType("boolean")));
        fields.put("source", words(InputSource.values(), InputSource::text));
        fields.put("value", map("description", "Of the parameter's type; required for a task_config input."));
        fields.put("items", optional(ref("items")));
        fields.put("properties", optional(arrayOf("property")));
        fields.put("data_source", optional(words(DataSource.DataSourceKind.values(), DataSource.DataSourceKind::name)));
        fields.put("data_lake_id", optional(text(DefinitionLimits.NAME)));
        fields.put("filter", optional(ref("row_filter")));
        fields.put("columns", optional(map("type", "array", "items", text(DefinitionLimits.NAME))));
        fields.put("limit", optional(map("type", "integer", "minimum", 1, "maximum", DataSource.MAX_LIMIT)));
        Map<String, @Nullable Object> schema = object(List.of("name", "type", "description", "source"), fields);
        List<Object> rules = new ArrayList<>();
        for (ValueType type : ValueType.values()) {
            rules.add(when("type", type.name(), map("properties", typeFields(type), "required", typeRequires(type))));
        }
        rules.add(when(
                "data_source",
                DataSource.DataSourceKind.DATA_LAKE.name(),
                map(
                        "properties",
                        map("type", map("const", ValueType.ARRAY.name()), "data_lake_id", text(DefinitionLimits.NAME)),
                        "required",
                        List.of("data_lake_id"))));
        schema.put("allOf", rules);
        return schema;
    }

    private static Map<String, @Nullable Object> items() {
        Map<String, @Nullable Object> fields = map();
        fields.put("type", words(ValueType.values(), ValueType::name));
        fields.put("items", optional(ref("items")));
        fields.put("properties", optional(arrayOf("property")));
        Map<String, @Nullable Object> schema = object(List.of("type"), fields);
        schema.put(
                "allOf",
                List.of(
                        when("type", ValueType.ARRAY.name(), requiring("items", ref("items"))),
                        when("type", ValueType.OBJECT.name(), requiring("properties", arrayOf("property")))));
        return schema;
    }

    /** Selects rows of a data lake: {@code all}, {@code any} or {@code not} of other filters, or a comparison. */
    private static Map<String, @Nullable Object> rowFilter() {
        Map<String, @Nullable Object> fields = map();
        fields.put("all", optional(with(arrayOf("row_filter"), "minItems", 1)));
        fields.put("any", optional(with(arrayOf("row_filter"), "minItems", 1)));
        fields.put("not", optional(ref("row_filter")));
        fields.put("column", optional(text(DefinitionLimits.NAME)));
        fields.put("op", optional(words(RowFilter.Operator.values(), RowFilter.Operator::text)));
        fields.put("value", map("description", "A string, number or boolean; for 'in' a list of them."));
        fields.put(
                "input",
                with(
                        optional(text(DefinitionLimits.NAME)),
                        "description",
                        "Instead of 'value': the name of another input of the task."));
        return object(List.of(), fields);
    }

    /** The fields that depend on the type: the value rules, to the extent that a schema can express them. */
    private static Map<String, @Nullable Object> typeFields(ValueType type) {
        Map<String, @Nullable Object> fields = map();
        fields.put(
                "value",
                switch (type) {
                    case STRING -> ofType("string", "null");
                    case INTEGER -> ofType("integer", "string", "null");
                    case FLOAT -> ofType("number", "string", "null");
                    case BOOLEAN -> map("enum", Arrays.asList(true, false, "true", "false", null));
                    case ARRAY -> ofType("array", "null");
                    case OBJECT -> ofType("object", "null");
                });
        fields.put("items", type == ValueType.ARRAY ? ref("items") : ofType("null"));
        if (type != ValueType.OBJECT) {
            fields.put("properties", ofType("null"));
        }
        return fields;
    }

    private static List<String> typeRequires(ValueType type) {
        return type == ValueType.ARRAY ? List.of("items") : List.of();
    }

    private static Map<String, @Nullable Object> property() {
        Map<String, @Nullable Object> fields = map();
        fields.put("name", name());
        fields.put("type", words(ValueType.ofProperties(), ValueType::name));
        fields.put("description", text(DefinitionLimits.DESCRIPTION));
        fields.put("required", optional(ofType("boolean")));
        return object(List.of("name", "type", "description"), fields);
    }

    private static Map<String, @Nullable Object> outputParameter() {
        Map<String, @Nullable Object> fields = map();
        fields.put("name", optional(name()));
        fields.put("type", words(OutputType.values(), OutputType::name));
        fields.put("description", text(DefinitionLimits.DESCRIPTION));
        Map<String, @Nullable Object> schema = object(List.of("type", "description"), fields);
        List<Object> basic = new ArrayList<>();
        for (OutputType type : OutputType.values()) {
            if (!type.isFile()) {
                basic.add(when("type", type.name(), requiring("name", name())));
            }
        }
        schema.put("allOf", basic);
        return schema;
    }

    private static Map<String, @Nullable Object> connection() {
        Map<String, @Nullable Object> from =
                object(List.of("task", "output"), map("task", taskId(), "output", text(DefinitionLimits.NAME)));
        Map<String, @Nullable Object> to =
                object(List.of("task", "input"), map("task", taskId(), "input", text(DefinitionLimits.NAME)));
        return object(List.of("from", "to"), map("from", from, "to", to));
    }
}
