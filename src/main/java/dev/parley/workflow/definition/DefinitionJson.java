package dev.parley.workflow.definition;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.datalake.core.RowFilter;
import dev.parley.http.StrictJson;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.AppTask;
import dev.parley.workflow.definition.core.ArrayItems;
import dev.parley.workflow.definition.core.AssignmentRule;
import dev.parley.workflow.definition.core.CoderTask;
import dev.parley.workflow.definition.core.Connection;
import dev.parley.workflow.definition.core.DataSource;
import dev.parley.workflow.definition.core.HumanTask;
import dev.parley.workflow.definition.core.InputParameter;
import dev.parley.workflow.definition.core.ObjectProperty;
import dev.parley.workflow.definition.core.OutputParameter;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.ValueType;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The agent document as JSON text and as the tree of plain JDK values that the validator reads. Numbers stay exact:
 * integers are {@code Integer}, {@code Long} or {@code BigInteger}, all others {@code BigDecimal}.
 */
public final class DefinitionJson {
    private static final ObjectMapper MAPPER = StrictJson.mapper();

    private DefinitionJson() {}

    /**
     * Parses JSON text to a tree.
     *
     * @throws IllegalArgumentException if it is not JSON or has a duplicate member
     */
    public static @Nullable Object tree(String json) {
        try {
            return MAPPER.readValue(json, Object.class);
        } catch (JsonProcessingException notJson) {
            throw new IllegalArgumentException("Not JSON: " + notJson.getOriginalMessage(), notJson);
        }
    }

    /** The tree as compact JSON, members in the tree's order. */
    public static String text(@Nullable Object tree) {
        try {
            return MAPPER.writeValueAsString(tree);
        } catch (JsonProcessingException notATree) {
            throw new IllegalArgumentException("Not a tree of JSON values", notATree);
        }
    }

    /** The tree as JSON for readers, indented by two spaces, with a final line feed. */
    public static String pretty(@Nullable Object tree) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
        } catch (JsonProcessingException notATree) {
            throw new IllegalArgumentException("Not a tree of JSON values", notATree);
        }
    }

    /**
     * The canonical document of a definition: fields in the documented order, optional fields only if set, and values
     * as coerced by the value rules.
     */
    public static Map<String, @Nullable Object> tree(WorkflowDefinition definition) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("name", definition.name());
        if (!definition.description().isEmpty()) {
            tree.put("description", definition.description());
        }
        tree.put(
                "assignment_rules",
                definition.assignmentRules().stream().map(DefinitionJson::rule).toList());
        tree.put("tasks", definition.tasks().stream().map(DefinitionJson::task).toList());
        tree.put(
                "connections",
                definition.connections().stream()
                        .map(DefinitionJson::connection)
                        .toList());
        tree.put(
                "dependencies",
                definition.dependencies().stream()
                        .map(d -> OrderedJson.map("from", d.from().value(), "to", d.to().value()))
                        .toList());
        return tree;
    }

    private static Map<String, @Nullable Object> rule(AssignmentRule rule) {
        return OrderedJson.map(
                "rule_type", rule.ruleType().text(),
                "assignment_type", rule.assignmentType().text(),
                "assignee_id", rule.assigneeId());
    }

    private static Map<String, @Nullable Object> connection(Connection connection) {
        return OrderedJson.map(
                "from", OrderedJson.map("task", connection.fromTask().value(), "output", connection.output()),
                "to", OrderedJson.map("task", connection.toTask().value(), "input", connection.input()));
    }

    private static Map<String, @Nullable Object> task(Task task) {
        Map<String, @Nullable Object> tree = OrderedJson.map(
                "id", task.id().value(),
                "kind", task.kind().text(),
                "name", task.name(),
                "instructions", task.instructions());
        if (task.errorPolicy() != null) {
            tree.put("error_policy", task.errorPolicy().name());
        }
        switch (task) {
            case AiTask _ -> {}
            case HumanTask human -> {
                if (human.dueInMinutes() != null) {
                    tree.put("due_in_minutes", human.dueInMinutes());
                }
            }
            case AppTask app -> {
                tree.put("provider", app.provider());
                tree.put("tool_name", app.toolName());
                tree.put("tool_id", app.toolId());
            }
            case CoderTask coder -> tree.put("code_artifact_id", coder.codeArtifactId());
        }
        tree.put(
                "input_parameters",
                task.inputParameters().stream().map(DefinitionJson::input).toList());
        tree.put(
                "expected_output",
                task.expectedOutput().stream().map(DefinitionJson::output).toList());
        return tree;
    }

    private static Map<String, @Nullable Object> input(InputParameter input) {
        Map<String, @Nullable Object> tree = OrderedJson.map(
                "name", input.name(),
                "type", input.type().name(),
                "description", input.description(),
                "required", input.required(),
                "source", input.source().text());
        if (input.items() != null) {
            tree.put("items", items(input.items()));
        }
        if (!input.properties().isEmpty()) {
            tree.put("properties", properties(input.properties()));
        }
        if (input.value() != null) {
            tree.put("value", input.value());
        }
        String lake = input.dataSource().dataLakeId();
        if (lake != null) {
            tree.put("data_source", DataSource.DataSourceKind.DATA_LAKE.name());
            tree.put("data_lake_id", lake);
            if (input.dataSource().filter() != null) {
                tree.put("filter", filter(input.dataSource().filter()));
            }
            if (!input.dataSource().columns().isEmpty()) {
                tree.put("columns", input.dataSource().columns());
            }
            if (input.dataSource().limit() != null) {
                tree.put("limit", input.dataSource().limit());
            }
        }
        return tree;
    }

    private static Map<String, @Nullable Object> filter(RowFilter filter) {
        return switch (filter) {
            case RowFilter.All(List<RowFilter> all) ->
                OrderedJson.map("all", all.stream().map(DefinitionJson::filter).toList());
            case RowFilter.Any(List<RowFilter> any) ->
                OrderedJson.map("any", any.stream().map(DefinitionJson::filter).toList());
            case RowFilter.Not(RowFilter not) -> OrderedJson.map("not", filter(not));
            case RowFilter.Compare compare -> {
                Map<String, @Nullable Object> tree = OrderedJson.map(
                        "column", compare.column(), "op", compare.operator().text());
                if (compare.input() != null) {
                    tree.put("input", compare.input());
                } else if (compare.operator() == RowFilter.Operator.IN) {
                    tree.put("value", compare.values());
                } else if (!compare.values().isEmpty()) {
                    tree.put("value", compare.values().getFirst());
                }
                yield tree;
            }
        };
    }

    private static Map<String, @Nullable Object> items(ArrayItems items) {
        Map<String, @Nullable Object> tree =
                OrderedJson.map("type", items.type().name());
        if (items.items() != null) {
            tree.put("items", items(items.items()));
        }
        if (items.type() == ValueType.OBJECT) {
            tree.put("properties", properties(items.properties()));
        }
        return tree;
    }

    private static List<Map<String, @Nullable Object>> properties(List<ObjectProperty> properties) {
        return properties.stream()
                .map(p -> OrderedJson.map(
                        "name", p.name(),
                        "type", p.type().name(),
                        "description", p.description(),
                        "required", p.required()))
                .toList();
    }

    private static Map<String, @Nullable Object> output(OutputParameter output) {
        return OrderedJson.map(
                "name", output.name(),
                "type", output.type().name(),
                "description", output.description());
    }
}
