package dev.parley.workflow.definition;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.conversation.WorkflowStageStore;
import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.http.core.SingleLineText;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.tool.catalog.WorkflowProvider;
import dev.parley.tool.source.DiscoveredTool;
import dev.parley.workflow.definition.WorkflowStore.DraftColumns;
import dev.parley.workflow.definition.WorkflowStore.WorkflowDraft;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.WorkflowSignature;
import dev.parley.workflow.definition.core.check.DefinitionValidator;
import dev.parley.workflow.definition.core.check.DocumentReferences;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.reference.WorkflowReferences;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Saves, publishes and archives workflows, also within a transaction. */
@Singleton
public final class WorkflowService {
    /** The listed name of a draft without a usable name. */
    private static final String UNNAMED = "Untitled";

    /** The maximum age of a cached version published on another node; this node sees its own at once. */
    private static final Duration REMEMBERED = Duration.ofSeconds(1);

    private final Database database;
    private final WorkflowStore statements;
    private final WorkflowReferences references;
    private final Clock clock;
    private final Cache<WorkflowKey, Optional<Integer>> published = Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(REMEMBERED)
            .build();

    private record WorkflowKey(OrganizationId organization, WorkflowId workflow) {}

    public WorkflowService(Database database, Clock clock) {
        this.database = database;
        this.statements = database.statements(WorkflowStore.class);
        this.references = new WorkflowReferences(database);
        this.clock = clock;
    }

    /** Saves a new draft. */
    public Workflow create(
            OrganizationId organization, Map<String, @Nullable Object> document, boolean valid, String createdBy) {
        return database.transaction(() -> {
            Workflow created = statements.insert(
                    organization, WorkflowId.next(), columns(document, valid), createdBy, clock.instant());
            references.replaceDraft(organization, created.id(), DocumentReferences.of(document));
            return created;
        });
    }

    /** Replaces the draft; empty if there is no such workflow, a 409 if it is archived. */
    Optional<Workflow> save(
            OrganizationId organization,
            WorkflowId id,
            Map<String, @Nullable Object> document,
            boolean valid,
            String savedBy,
            IfMatch ifMatch) {
        return database.transaction(() -> lock(organization, id, ifMatch).map(before -> {
            boolean same = before.document().equals(document);
            if (!same) {
                references.replaceDraft(organization, id, DocumentReferences.of(document));
            }
            return statements.save(organization, id, columns(document, valid), same, savedBy, clock.instant());
        }));
    }

    /** Archives it permanently; false if there is no such workflow. */
    boolean archive(OrganizationId organization, WorkflowId id, IfMatch ifMatch) {
        boolean found = database.transaction(() -> {
            Optional<WorkflowDraft> before = statements.lock(organization, id);
            before.ifPresent(draft -> {
                require(ifMatch, draft.workflow());
                WorkflowProvider.withdraw(database, organization, id.text(), clock.instant());
                statements.archive(organization, id, clock.instant());
            });
            return before.isPresent();
        });
        published.invalidate(new WorkflowKey(organization, id));
        return found;
    }

    /**
     * Publishes the draft as the next version. If the draft is already published with the same code, returns that
     * version, so that a repeated request creates no second one.
     *
     * @param note what changed, for the list of versions
     * @param check validates the draft within the transaction; throws to reject it
     * @return empty if there is no such workflow
     */
    public Optional<Integer> publish(
            OrganizationId organization,
            WorkflowId id,
            String publishedBy,
            @Nullable String note,
            IfMatch ifMatch,
            Consumer<Map<String, @Nullable Object>> check) {
        Optional<Integer> version = database.transaction(() ->
                lock(organization, id, ifMatch).map(draft -> publish(organization, draft, publishedBy, note, check)));
        published.invalidate(new WorkflowKey(organization, id));
        return version;
    }

    private int publish(
            OrganizationId organization,
            WorkflowDraft draft,
            String publishedBy,
            @Nullable String note,
            Consumer<Map<String, @Nullable Object>> check) {
        WorkflowId id = draft.workflow().id();
        Integer newest = draft.workflow().publishedVersion();
        DocumentReferences named = DocumentReferences.of(draft.document());
        references.lock(organization, named.dataLakes().keySet());
        check.accept(draft.document());
        if (newest != null
                && !draft.workflow().unpublishedChanges()
                && !statements.hasNewerCode(organization, id, newest)) {
            return newest;
        }
        int next = newest == null ? 1 : newest + 1;
        Instant now = clock.instant();
        statements.publish(organization, id, next, publishedBy, now, note);
        statements.pinCode(organization, id, next, named.codeArtifacts());
        references.publish(organization, id);
        WorkflowProvider.offer(database, organization, tool(id, draft.document()), now);
        return next;
    }

    /** The workflow as a tool, so that other workflows can run it. */
    private static DiscoveredTool tool(WorkflowId id, Map<String, @Nullable Object> valid) {
        WorkflowDefinition definition = DefinitionValidator.readStored(valid).required();
        WorkflowSignature signature = WorkflowSignature.of(definition);
        return new DiscoveredTool(
                id.text(),
                definition.name(),
                definition.description(),
                signature.inputSchema(),
                signature.outputSchema(),
                "{}");
    }

    /** Whether instances may be started, and if not, why. */
    public WorkflowStageStore.Stage stage(OrganizationId organization, WorkflowId id) {
        return statements.stage(organization, id);
    }

    /** The version of a new instance; empty if there is none, or the workflow is archived or unknown. */
    public Optional<Integer> publishedVersion(OrganizationId organization, WorkflowId id) {
        return published.get(new WorkflowKey(organization, id), _ -> statements.publishedVersion(organization, id));
    }

    /** The workflow with its row locked until the transaction ends; a 409 if it is archived. */
    private Optional<WorkflowDraft> lock(OrganizationId organization, WorkflowId id, IfMatch ifMatch) {
        Optional<WorkflowDraft> found = statements.lock(organization, id);
        found.map(WorkflowDraft::workflow).ifPresent(workflow -> {
            if (workflow.archivedAt() != null) {
                throw archived();
            }
            require(ifMatch, workflow);
        });
        return found;
    }

    private static void require(IfMatch ifMatch, Workflow workflow) {
        ifMatch.require(workflow.revision(), workflow.updatedBy(), workflow.updatedAt());
    }

    /** The 409 for changing or starting an archived workflow. */
    public static ApiProblem archived() {
        return ApiProblem.of(ProblemKind.WRONG_STATUS, "The workflow is archived.");
    }

    private static DraftColumns columns(Map<String, @Nullable Object> document, boolean valid) {
        return new DraftColumns(
                SingleLineText.of(shown(document.get("name"), DefinitionLimits.NAME, UNNAMED)),
                shown(document.get("description"), DefinitionLimits.DESCRIPTION, ""),
                StrictJson.write(document),
                valid);
    }

    private static String shown(@Nullable Object text, int maxLength, String instead) {
        return text instanceof String string && !string.isBlank() && DefinitionLimits.allow(string, maxLength)
                ? string
                : instead;
    }
}
