package dev.parley.console;

import dev.parley.http.IfMatch;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowId;
import dev.parley.workflow.definition.DefinitionReferences;
import dev.parley.workflow.definition.WorkflowStore;
import dev.parley.workflow.definition.core.ValidationResult;
import dev.parley.workflow.task.coder.CodeArtifactStore;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Creates workflows of an organization from the documents of {@code examples/} in the jar. */
@Singleton
final class DemoWorkflows {
    /** The workflow for a first try: it needs only a message, and completes with every model. */
    static final String STARTER = "one-task";

    /** In the order of creation; lists show the newest first. Each of them works without further setup. */
    static final List<String> NAMES = List.of(
            "currency-report",
            "error-policies",
            "meeting-minutes",
            "onboarding",
            "order-check",
            "order-total",
            "parallel-review",
            "ten-tasks",
            "travel-request",
            "web-lookup",
            "invoice-approval",
            STARTER);

    private final WorkflowStore store;
    private final DefinitionReferences references;
    private final CodeArtifactStore code;

    DemoWorkflows(WorkflowStore store, DefinitionReferences references, CodeArtifactStore code) {
        this.store = store;
        this.references = references;
        this.code = code;
    }

    /** Creates all of them, publishes the complete ones, and returns the starter. */
    WorkflowId create(Handle handle, OrganizationId organization, UserId user, int team) {
        code(handle, organization, user, "Order total", CodeLanguage.JAVASCRIPT, "order-total.mjs");
        code(handle, organization, user, "Order letter", CodeLanguage.PYTHON, "order_letter.py");
        Map<String, WorkflowId> created = new LinkedHashMap<>();
        for (String name : NAMES) {
            created.put(name, create(handle, organization, user, document(name, user, team)));
        }
        WorkflowId starter = created.get(STARTER);
        if (starter == null) {
            throw new IllegalStateException(STARTER + " is not among the examples");
        }
        return starter;
    }

    /** Code that the examples reference by its order of creation. */
    private void code(
            Handle handle, OrganizationId organization, UserId user, String name, CodeLanguage language, String file) {
        var draft = new CodeArtifactStore.ArtifactDraft(name, ExampleFiles.read("code/" + file), List.of(), List.of());
        var _ = code.create(handle, organization, language, draft, "user:" + user.text());
    }

    private WorkflowId create(
            Handle handle, OrganizationId organization, UserId user, Map<String, @Nullable Object> document) {
        String by = "user:" + user.text();
        ValidationResult validation = references.validate(handle, organization, document);
        WorkflowId id = store.create(handle, organization, document, validation.valid(), by)
                .id();
        if (validation.valid()) {
            var _ = store.publish(handle, organization, id, by, null, IfMatch.ANY, (_, _) -> {});
        }
        return id;
    }

    private static Map<String, @Nullable Object> document(String name, UserId user, int team) {
        return StrictJson.readObject(ExampleFiles.read(name + ".json")
                .replace("{{user}}", user.text())
                .replace("{{team}}", Integer.toString(team)));
    }
}
