package dev.parley.workflow.definition;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.apikey.WorkflowLookup;
import dev.parley.conversation.PublishedWorkflows;
import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.http.StrictJson;
import dev.parley.http.core.SingleLineText;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.tool.WorkflowProvider;
import dev.parley.workflow.definition.core.DefinitionLimits;
import dev.parley.workflow.definition.core.DocumentReferences;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/** The tables {@code workflow} and {@code workflow_version}. Versions are never updated. */
@Singleton
public final class WorkflowStore implements PublishedWorkflows, WorkflowLookup {
    private static final String COLUMNS = """
            id, name, description, valid, published_version,
            NOT published_draft AS unpublished_changes, created_by, created_at, updated_at, updated_by,
            revision, archived_at""";

    /** The listed name of a draft without a usable name. */
    private static final String UNNAMED = "Untitled";

    /** The maximum age of a cached version published on another node; this node sees its own at once. */
    private static final Duration REMEMBERED = Duration.ofSeconds(1);

    private final Database database;
    private final Clock clock;
    private final Cache<Name, Optional<Integer>> published = Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(REMEMBERED)
            .build();

    private record Name(OrganizationId organization, WorkflowId workflow) {}

    public WorkflowStore(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** A workflow with its draft. */
    public record WorkflowDraft(Workflow workflow, Map<String, @Nullable Object> document) {}

    /** Validates the draft within the publishing transaction; throws to reject it. */
    @FunctionalInterface
    public interface DraftCheck {
        void accept(Handle handle, Map<String, @Nullable Object> document);
    }

    /** Saves a new draft. */
    public Workflow create(
            OrganizationId organization, Map<String, @Nullable Object> document, boolean valid, String createdBy) {
        return database.with(handle -> create(handle, organization, document, valid, createdBy));
    }

    /** Saves a new draft within a transaction. */
    public Workflow create(
            Handle handle,
            OrganizationId organization,
            Map<String, @Nullable Object> document,
            boolean valid,
            String createdBy) {
        WorkflowId id = WorkflowId.next();
        Workflow created = bindDraft(handle.createUpdate("""
                                INSERT INTO workflow (organization_id, id, name, description, draft, valid, created_by,
                                    created_at, updated_at, updated_by)
                                VALUES (:organization, :id, :name, :description, :draft, :valid, :by, :now, :now, :by)
                                RETURNING %s""".formatted(COLUMNS)), document, valid)
                .bind("organization", organization)
                .bind("id", id)
                .bind("by", createdBy)
                .executeAndReturnGeneratedKeys()
                .mapTo(Workflow.class)
                .one();
        WorkflowReferences.replaceDraft(handle, organization, id, DocumentReferences.of(document));
        return created;
    }

    /**
     * Replaces the draft; empty if there is no such workflow, a 409 if it is archived. A draft that is again the same as
     * the published version has no unpublished changes.
     */
    public Optional<Workflow> save(
            OrganizationId organization,
            WorkflowId id,
            Map<String, @Nullable Object> document,
            boolean valid,
            String savedBy,
            IfMatch ifMatch) {
        return database.transaction(handle -> {
            Optional<WorkflowDraft> before = lock(handle, organization, id);
            if (before.isEmpty()) {
                return Optional.empty();
            }
            require(ifMatch, before.get().workflow());
            boolean same = before.get().document().equals(document);
            if (!same) {
                WorkflowReferences.replaceDraft(handle, organization, id, DocumentReferences.of(document));
            }
            return Optional.of(bindDraft(handle.createUpdate("""
                                    UPDATE workflow SET name = :name, description = :description, draft = :draft,
                                        valid = :valid, updated_at = :now, updated_by = :by,
                                        published_draft = published_draft AND :same OR coalesce(:draft::text = (
                                            SELECT v.document FROM workflow_version v
                                            WHERE v.organization_id = workflow.organization_id
                                              AND v.workflow_id = workflow.id
                                              AND v.version = workflow.published_version), false),
                                        revision = CASE WHEN :same THEN revision ELSE revision + 1 END
                                    WHERE organization_id = :organization AND id = :id
                                    RETURNING %s""".formatted(COLUMNS)), document, valid)
                    .bind("organization", organization)
                    .bind("id", id)
                    .bind("same", same)
                    .bind("by", savedBy)
                    .executeAndReturnGeneratedKeys()
                    .mapTo(Workflow.class)
                    .one());
        });
    }

    public Optional<WorkflowDraft> find(OrganizationId organization, WorkflowId id) {
        return database.with(handle -> draft(handle, organization, id, ""));
    }

    /** The positions of its tasks in the graph, and the notes beside them. */
    Optional<TaskPositions> positions(OrganizationId organization, WorkflowId id) {
        return database.with(handle -> handle.createQuery("""
                        SELECT jsonb_build_object('positions', positions, 'notes', notes) FROM workflow
                        WHERE organization_id = :organization AND id = :id""")
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(String.class)
                .map(json -> StrictJson.readTrusted(json, TaskPositions.class))
                .findOne());
    }

    /** Stores the positions of its tasks, and the notes if any are given; empty if there is no such workflow. */
    Optional<TaskPositions> place(OrganizationId organization, WorkflowId id, TaskPositions where) {
        return database.with(handle -> handle.createUpdate("""
                                UPDATE workflow
                                SET positions = :where::jsonb -> 'positions',
                                    notes = coalesce(nullif(:where::jsonb -> 'notes', 'null'), notes)
                                WHERE organization_id = :organization AND id = :id
                                RETURNING jsonb_build_object('positions', positions, 'notes', notes)""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("where", StrictJson.write(where))
                .executeAndReturnGeneratedKeys()
                .mapTo(String.class)
                .map(json -> StrictJson.readTrusted(json, TaskPositions.class))
                .findOne());
    }

    /** A filter and an order for lists. */
    public record WorkflowSearch(String words, @Nullable WorkflowState state, WorkflowSort sort) {
        public static final WorkflowSearch ALL = new WorkflowSearch("", null, WorkflowSort.CREATED);

        private boolean isIndexed() {
            return words.isBlank() && state == null && sort == WorkflowSort.CREATED;
        }
    }

    /** Workflows that are not archived. */
    public List<Workflow> list(
            OrganizationId organization, WorkflowSearch search, Optional<WorkflowId> after, int limit) {
        if (search.isIndexed()) {
            return newest(organization, after, limit);
        }
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM (
                            SELECT * FROM workflow WHERE organization_id = :organization AND archived_at IS NULL
                            ORDER BY id DESC LIMIT :examined
                        ) w
                        WHERE NOT EXISTS (
                            SELECT FROM regexp_split_to_table(trim(lower(:words)), '\\s+') AS s (word)
                            WHERE strpos(lower(w.name || ' ' || w.description), s.word) = 0
                        ) AND %s AND (:after::uuid IS NULL OR EXISTS (
                            SELECT FROM workflow a
                            WHERE a.organization_id = :organization AND a.id = :after::uuid AND %s))
                        ORDER BY %s LIMIT :limit""".formatted(
                                COLUMNS,
                                search.state == null ? "true" : search.state.condition(),
                                search.sort.after(),
                                search.sort.order()))
                .bind("organization", organization)
                .bind("words", search.words)
                .bind("after", after)
                .bind("examined", WorkflowNamesResource.MAX_NAMES)
                .bind("limit", limit)
                .mapTo(Workflow.class)
                .list());
    }

    private List<Workflow> newest(OrganizationId organization, Optional<WorkflowId> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM workflow
                        WHERE organization_id = :organization AND archived_at IS NULL
                          AND (:after::uuid IS NULL OR id < :after::uuid)
                        ORDER BY id DESC LIMIT :limit""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(Workflow.class)
                .list());
    }

    /** The names of the newest workflows, also of archived ones. */
    List<WorkflowNamesResource.WorkflowName> names(OrganizationId organization, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT id, name, published_version IS NOT NULL AS published,
                            archived_at IS NOT NULL AS archived
                        FROM workflow WHERE organization_id = :organization ORDER BY id DESC LIMIT :limit""")
                .bind("organization", organization)
                .bind("limit", limit)
                .mapTo(WorkflowNamesResource.WorkflowName.class)
                .list());
    }

    /** Archives it permanently; false if there is no such workflow. */
    public boolean archive(OrganizationId organization, WorkflowId id, IfMatch ifMatch) {
        boolean found = database.transaction(handle -> {
            Optional<WorkflowDraft> before = draft(handle, organization, id, "FOR NO KEY UPDATE");
            before.ifPresent(draft -> require(ifMatch, draft.workflow()));
            return before.isPresent() && archive(handle, organization, id);
        });
        published.invalidate(new Name(organization, id));
        return found;
    }

    private boolean archive(Handle handle, OrganizationId organization, WorkflowId id) {
        WorkflowProvider.withdraw(handle, organization, id.text(), clock.instant());
        return handle.createUpdate("""
                                UPDATE workflow SET archived_at = coalesce(archived_at, :now)
                                WHERE organization_id = :organization AND id = :id""")
                        .bind("organization", organization)
                        .bind("id", id)
                        .bind("now", clock.instant())
                        .execute()
                > 0;
    }

    private static void require(IfMatch ifMatch, Workflow workflow) {
        ifMatch.require(workflow.revision(), workflow.updatedBy(), workflow.updatedAt());
    }

    /**
     * Publishes the draft as the next version. If the draft is already published with the same code, returns that
     * version, so that a repeated request creates no second one.
     *
     * @param note what changed, for the list of versions
     * @return empty if there is no such workflow
     */
    public Optional<Integer> publish(
            OrganizationId organization,
            WorkflowId id,
            String publishedBy,
            @Nullable String note,
            IfMatch ifMatch,
            DraftCheck check) {
        Optional<Integer> version =
                database.transaction(handle -> publish(handle, organization, id, publishedBy, note, ifMatch, check));
        published.invalidate(new Name(organization, id));
        return version;
    }

    /** Publishes within a transaction, for a workflow that has not been cached yet. */
    public Optional<Integer> publish(
            Handle handle,
            OrganizationId organization,
            WorkflowId id,
            String publishedBy,
            @Nullable String note,
            IfMatch ifMatch,
            DraftCheck check) {
        Optional<WorkflowDraft> found = lock(handle, organization, id);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        require(ifMatch, found.get().workflow());
        Workflow workflow = found.get().workflow();
        Integer newest = workflow.publishedVersion();
        DocumentReferences references = DocumentReferences.of(found.get().document());
        DataLakeReferences.lock(handle, organization, references.dataLakes().keySet());
        check.accept(handle, found.get().document());
        if (newest != null
                && !workflow.unpublishedChanges()
                && !CodeVersionPins.outdated(handle, organization, id, newest)) {
            return Optional.of(newest);
        }
        int next = newest == null ? 1 : newest + 1;
        handle.createUpdate("""
                        INSERT INTO workflow_version (organization_id, workflow_id, version, document, published_by,
                            published_at, note)
                        SELECT organization_id, id, :version, draft, :by, :now, :note FROM workflow
                        WHERE organization_id = :organization AND id = :id""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("version", next)
                .bind("by", publishedBy)
                .bind("now", clock.instant())
                .bind("note", note)
                .execute();
        CodeVersionPins.pin(handle, organization, id, next, references.codeArtifacts());
        WorkflowReferences.publish(handle, organization, id);
        WorkflowTools.offer(handle, organization, id, found.get().document(), clock.instant());
        handle.createUpdate("""
                        UPDATE workflow SET published_version = :version, published_draft = true, valid = true
                        WHERE organization_id = :organization AND id = :id""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("version", next)
                .execute();
        return Optional.of(next);
    }

    /** The versions, newest first. */
    public List<WorkflowVersion.Summary> versions(
            OrganizationId organization, WorkflowId id, Optional<Integer> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT version, published_by, published_at, note FROM workflow_version
                        WHERE organization_id = :organization AND workflow_id = :id
                          AND (:after::integer IS NULL OR version < :after::integer)
                        ORDER BY version DESC LIMIT :limit""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(WorkflowVersion.Summary.class)
                .list());
    }

    public Optional<WorkflowVersion> version(OrganizationId organization, WorkflowId id, int version) {
        return database.with(handle -> handle.createQuery("""
                        SELECT version, published_by, published_at, note, document FROM workflow_version
                        WHERE organization_id = :organization AND workflow_id = :id AND version = :version""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("version", version)
                .map(row -> new WorkflowVersion(
                        row.getColumn("version", Integer.class),
                        row.getColumn("published_by", String.class),
                        row.getColumn("published_at", Instant.class),
                        row.getColumn("note", String.class),
                        StrictJson.readObject(row.getColumn("document", String.class))))
                .findOne());
    }

    @Override
    public boolean exists(OrganizationId organization, WorkflowId id) {
        Stage stage = stage(organization, id);
        return stage == Stage.DRAFT || stage == Stage.PUBLISHED;
    }

    /** Whether instances may be started, and if not, why. */
    @Override
    public Stage stage(OrganizationId organization, WorkflowId id) {
        return database.with(handle -> handle.createQuery("""
                        SELECT published_version IS NOT NULL AS published, archived_at IS NOT NULL AS archived
                        FROM workflow WHERE organization_id = :organization AND id = :id""")
                .bind("organization", organization)
                .bind("id", id)
                .map(row -> row.getColumn("archived", Boolean.class)
                        ? Stage.ARCHIVED
                        : row.getColumn("published", Boolean.class) ? Stage.PUBLISHED : Stage.DRAFT)
                .findOne()
                .orElse(Stage.UNKNOWN));
    }

    /** The version of a new instance; empty if there is none, or the workflow is archived or unknown. */
    public Optional<Integer> publishedVersion(OrganizationId organization, WorkflowId id) {
        return published.get(new Name(organization, id), _ -> readPublishedVersion(organization, id));
    }

    private Optional<Integer> readPublishedVersion(OrganizationId organization, WorkflowId id) {
        return database.with(handle -> handle.createQuery("""
                        SELECT published_version FROM workflow
                        WHERE organization_id = :organization AND id = :id AND archived_at IS NULL
                          AND published_version IS NOT NULL""")
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(Integer.class)
                .findOne());
    }

    /** The workflow with its row locked until the transaction ends; a 409 if it is archived. */
    private static Optional<WorkflowDraft> lock(Handle handle, OrganizationId organization, WorkflowId id) {
        Optional<WorkflowDraft> found = draft(handle, organization, id, "FOR NO KEY UPDATE");
        if (found.isPresent() && found.get().workflow().archivedAt() != null) {
            throw archived();
        }
        return found;
    }

    /** The 409 for changing or starting an archived workflow. */
    public static ApiProblem archived() {
        return ApiProblem.of(ProblemKind.CONFLICT, "The workflow is archived.");
    }

    private static Optional<WorkflowDraft> draft(
            Handle handle, OrganizationId organization, WorkflowId id, String lock) {
        return handle.createQuery("""
                        SELECT draft, %s FROM workflow
                        WHERE organization_id = :organization AND id = :id %s""".formatted(COLUMNS, lock))
                .bind("organization", organization)
                .bind("id", id)
                .map(row -> new WorkflowDraft(
                        row.getRow(Workflow.class), StrictJson.readObject(row.getColumn("draft", String.class))))
                .findOne();
    }

    private Update bindDraft(Update update, Map<String, @Nullable Object> document, boolean valid) {
        return update.bind("name", SingleLineText.of(shown(document.get("name"), DefinitionLimits.NAME, UNNAMED)))
                .bind("description", shown(document.get("description"), DefinitionLimits.DESCRIPTION, ""))
                .bind("draft", StrictJson.write(document))
                .bind("valid", valid)
                .bind("now", clock.instant());
    }

    private static String shown(@Nullable Object text, int maxLength, String instead) {
        return text instanceof String string && !string.isBlank() && DefinitionLimits.allow(string, maxLength)
                ? string
                : instead;
    }
}
