package dev.parley.console.demo;

import dev.parley.http.json.StrictJson;
import dev.parley.id.UserId;
import dev.parley.tool.catalog.BuiltInToolId;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The documents of {@code examples/} that people can start a new agent from. */
@Singleton
final class WorkflowTemplates {
    /** In the order of the list: the simplest first. */
    private static final List<String> NAMES = List.of(
            "one-task",
            "invoice-approval",
            "travel-request",
            "meeting-minutes",
            "refund-decision",
            "parallel-review",
            "invoice-review",
            "web-lookup",
            "onboarding",
            "order-total",
            "order-check",
            "currency-report",
            "payment-reminder",
            "payment-callback",
            "translated-summary",
            "draft-review",
            "revise-until-content",
            "complaint",
            "supervised-agent",
            "claim",
            "sales-comments",
            "stock-forecast",
            "error-policies");

    private static final Map<String, List<CodeFile>> CODE = Map.of(
            "order-total",
            List.of(
                    new CodeFile(1, "Order total", CodeLanguage.JAVASCRIPT, "order-total.mjs"),
                    new CodeFile(2, "Order letter", CodeLanguage.PYTHON, "order_letter.py")),
            "currency-report",
            List.of(new CodeFile(1, "Currency conversion", CodeLanguage.JAVASCRIPT, "currency.mjs")),
            "claim",
            List.of(new CodeFile(1, "Refund", CodeLanguage.JAVASCRIPT, "refund.mjs")));

    /** The workflows that tasks run as tools, by the {@code tool_name} in the documents. */
    private static final Map<String, String> SUB_WORKFLOWS = Map.of(
            "0192f0c1aa2b3c4d5e6f708192a3b4c5", "refund-decision",
            "0192f0c1aa2b3c4d5e6f708192a3b4c6", "draft-review");

    /** @param id the {@code code_artifact_id} in the document */
    private record CodeFile(int id, String name, CodeLanguage language, String file) {}

    /** A template in the list. */
    @Schema(name = "WorkflowTemplate")
    record Template(
            @Schema(examples = "invoice-approval") String id,
            String name,
            String description,

            @Schema(description = "The kinds of its tasks", examples = "[\"AI\"]")
            List<String> kinds,

            @Schema(description = "What it needs besides the built-in tools, one sentence each")
            List<String> needs) {}

    /** Code that a template's Coder tasks run. */
    @Schema(name = "WorkflowTemplateCode")
    record TemplateCode(
            @Schema(description = "The code_artifact_id in the document, to be replaced by the created artifact's")
            int id,

            String name,

            @Schema(
                    type = SchemaType.STRING,
                    enumeration = {"javascript", "python"})
            CodeLanguage language,

            String source) {}

    /** A workflow that a template's App tasks run. */
    @Schema(name = "WorkflowTemplateSubWorkflow")
    record TemplateSubWorkflow(
            @Schema(description = "The tool_name in the document, to be replaced by the created workflow's")
            String toolName,

            String name,

            @Schema(type = SchemaType.OBJECT, description = "Its definition, to be created and published first")
            Map<String, @Nullable Object> document) {}

    /** A template with its document. */
    @Schema(name = "WorkflowTemplateDocument")
    record TemplateDocument(
            @Schema(
                    type = SchemaType.OBJECT,
                    description = "The workflow definition; the caller gets its tickets. Ids of tools, code and data"
                            + " lakes are those of the example.")
            Map<String, @Nullable Object> document,

            List<TemplateCode> code,

            List<TemplateSubWorkflow> subWorkflows) {}

    private final List<Template> all =
            NAMES.stream().map(WorkflowTemplates::describe).toList();

    List<Template> all() {
        return all;
    }

    Optional<TemplateDocument> find(String id, UserId user) {
        if (!NAMES.contains(id)) {
            return Optional.empty();
        }
        Map<String, @Nullable Object> document = assigned(id, user);
        List<TemplateSubWorkflow> subWorkflows = objects(document.get("tasks")).stream()
                .map(task -> String.valueOf(task.get("tool_name")))
                .filter(SUB_WORKFLOWS::containsKey)
                .distinct()
                .map(tool -> subWorkflow(tool, user))
                .toList();
        return Optional.of(new TemplateDocument(document, code(id), subWorkflows));
    }

    private static TemplateSubWorkflow subWorkflow(String tool, UserId user) {
        Map<String, @Nullable Object> document = assigned(SUB_WORKFLOWS.getOrDefault(tool, tool), user);
        return new TemplateSubWorkflow(tool, String.valueOf(document.get("name")), document);
    }

    private static Map<String, @Nullable Object> assigned(String id, UserId user) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>(document(id));
        document.put("assignment_rules", assignedTo(document.get("assignment_rules"), user));
        return document;
    }

    /** The code of an example. */
    static List<TemplateCode> code(String id) {
        return CODE.getOrDefault(id, List.of()).stream()
                .map(code ->
                        new TemplateCode(code.id, code.name, code.language, ExampleFiles.read("code/" + code.file)))
                .toList();
    }

    private static Map<String, Object> document(String id) {
        return StrictJson.readObject(ExampleFiles.read(id + ".json"));
    }

    /** One rule of each type, for this user. */
    private static List<Map<String, Object>> assignedTo(@Nullable Object rules, UserId user) {
        Set<Object> types = new LinkedHashSet<>();
        for (Map<?, ?> rule : objects(rules)) {
            types.add(rule.get("rule_type"));
        }
        return types.stream()
                .map(type -> Map.of("rule_type", type, "assignment_type", "User", "assignee_id", user.text()))
                .toList();
    }

    private static Template describe(String id) {
        Map<String, Object> document = document(id);
        Set<String> kinds = new LinkedHashSet<>();
        Set<String> needs = new LinkedHashSet<>();
        for (Map<?, ?> task : objects(document.get("tasks"))) {
            kinds.add(String.valueOf(task.get("kind")));
            if (task.get("tool_name") instanceof String tool && SUB_WORKFLOWS.containsKey(tool)) {
                needs.add("The agent “%s”, which is created and published with it."
                        .formatted(
                                document(SUB_WORKFLOWS.getOrDefault(tool, tool)).get("name")));
            } else if (task.get("tool_name") instanceof String tool
                    && !BuiltInToolId.PROVIDER.equals(task.get("provider"))) {
                needs.add("A tool such as “%s”: add its provider under Tools, or choose another tool.".formatted(tool));
            }
            for (Map<?, ?> input : objects(task.get("input_parameters"))) {
                if (input.get("data_lake_id") instanceof String lake) {
                    needs.add("A data set such as “%s”: add it under Data, then choose it.".formatted(lake));
                }
            }
        }
        for (CodeFile code : CODE.getOrDefault(id, List.of())) {
            needs.add("The code “%s”, which is created with the agent.".formatted(code.name));
        }
        return new Template(
                id,
                String.valueOf(document.get("name")),
                String.valueOf(document.get("description")),
                List.copyOf(kinds),
                List.copyOf(needs));
    }

    private static List<Map<?, ?>> objects(@Nullable Object list) {
        List<Map<?, ?>> found = new ArrayList<>();
        if (list instanceof List<?> values) {
            for (Object value : values) {
                if (value instanceof Map<?, ?> object) {
                    found.add(object);
                }
            }
        }
        return found;
    }
}
