package dev.parley.console.demo;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.http.IfMatch;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowId;
import dev.parley.workflow.definition.WorkflowService;
import dev.parley.workflow.definition.core.check.ValidationResult;
import dev.parley.workflow.definition.reference.DefinitionReferences;
import dev.parley.workflow.task.coder.CodeArtifact;
import dev.parley.workflow.task.coder.CodeArtifacts;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates workflows of an organization from the documents of {@code examples/} in the jar. */
@Singleton
final class DemoWorkflows {
    /** The workflow for a first try: it needs only a message, and completes with every model. */
    static final String STARTER = "one-task";

    /** In the order of creation; lists show the newest first. Each of them works without further setup. */
    static final List<String> NAMES = List.of(
            "error-policies",
            "meeting-minutes",
            "onboarding",
            "order-check",
            "order-total",
            "currency-report",
            "parallel-review",
            "refund-decision",
            "invoice-review",
            "payment-reminder",
            "payment-callback",
            "supervised-agent",
            "translated-summary",
            "ten-tasks",
            "travel-request",
            "web-lookup",
            "invoice-approval",
            STARTER);

    private final WorkflowService store;
    private final DefinitionReferences references;
    private final CodeArtifacts code;

    DemoWorkflows(WorkflowService store, DefinitionReferences references, CodeArtifacts code) {
        this.store = store;
        this.references = references;
        this.code = code;
    }

    /** Creates all of them, publishes the complete ones, and returns the starter. */
    WorkflowId create(OrganizationId organization, UserId user, int team) {
        Map<String, WorkflowId> created = new LinkedHashMap<>();
        for (String name : NAMES) {
            Map<String, @Nullable Object> document = document(name, user, team);
            useCode(document, code(organization, user, name, document));
            created.put(name, create(organization, user, document));
        }
        return Objects.requireNonNull(created.get(STARTER));
    }

    /** Creates the code of an example, with the inputs and outputs of its task; returns the new ids by the old ones. */
    private Map<Integer, Integer> code(
            OrganizationId organization, UserId user, String example, Map<String, @Nullable Object> document) {
        Map<Integer, Integer> ids = new HashMap<>();
        for (WorkflowTemplates.TemplateCode one : WorkflowTemplates.code(example)) {
            Map<?, ?> task = codeTasks(document).stream()
                    .filter(each -> Integer.valueOf(one.id()).equals(each.get("code_artifact_id")))
                    .findFirst()
                    .orElseThrow();
            var draft = new CodeArtifacts.ArtifactDraft(
                    one.name(),
                    one.source(),
                    declared(task.get("input_parameters"), CodeArtifact.CodeInput.class),
                    declared(task.get("expected_output"), CodeArtifact.CodeOutput.class));
            ids.put(
                    one.id(),
                    code.create(organization, one.language(), draft, "user:" + user.text())
                            .id());
        }
        return ids;
    }

    private static <T> List<T> declared(@Nullable Object parameters, Class<T> type) {
        ObjectMapper lenient =
                StrictJson.mapper().copy().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
        return parameters instanceof List<?> list
                ? list.stream()
                        .map(parameter -> lenient.convertValue(parameter, type))
                        .toList()
                : List.of();
    }

    private static void useCode(Map<String, @Nullable Object> document, Map<Integer, Integer> ids) {
        for (Map<String, @Nullable Object> task : codeTasks(document)) {
            if (task.get("code_artifact_id") instanceof Integer id) {
                task.put("code_artifact_id", ids.get(id));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, @Nullable Object>> codeTasks(Map<String, @Nullable Object> document) {
        return document.get("tasks") instanceof List<?> tasks
                ? tasks.stream()
                        .map(task -> (Map<String, @Nullable Object>) task)
                        .filter(task -> task.containsKey("code_artifact_id"))
                        .toList()
                : List.of();
    }

    private WorkflowId create(OrganizationId organization, UserId user, Map<String, @Nullable Object> document) {
        String by = "user:" + user.text();
        ValidationResult validation = references.validate(organization, document);
        WorkflowId id =
                store.create(organization, document, validation.valid(), by).id();
        if (validation.valid()) {
            var _ = store.publish(organization, id, by, null, IfMatch.ANY, _ -> {});
        }
        return id;
    }

    private static Map<String, @Nullable Object> document(String name, UserId user, int team) {
        return StrictJson.readObject(ExampleFiles.read(name + ".json")
                .replace("{{user}}", user.text())
                .replace("{{team}}", Integer.toString(team)));
    }
}
