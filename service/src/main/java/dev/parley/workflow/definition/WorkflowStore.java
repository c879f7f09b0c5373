package dev.parley.workflow.definition;

import dev.parley.conversation.WorkflowStageStore;
import dev.parley.http.json.JsonColumns;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapperFactory;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The tables {@code workflow}, {@code workflow_version} and {@code workflow_version_code}. Versions never change. */
@RegisterColumnMapperFactory(JsonColumns.class)
public interface WorkflowStore extends WorkflowStageStore {
    String COLUMNS =
            " id, name, description, valid, published_version, NOT published_draft AS unpublished_changes, created_by,"
                    + " created_at, updated_at, updated_by, revision, archived_at ";

    String DRAFT =
            "SELECT draft AS document," + COLUMNS + "FROM workflow WHERE organization_id = :organization AND id = :id";

    /** A workflow with its draft. */
    record WorkflowDraft(@Nested Workflow workflow, Map<String, @Nullable Object> document) {}

    /** The columns of a document. */
    record DraftColumns(String name, String description, String draft, boolean valid) {}

    /** A filter and an order for lists. */
    record WorkflowSearch(String words, Optional<WorkflowState> state, WorkflowSort sort) {
        static final WorkflowSearch ALL = new WorkflowSearch("", Optional.empty(), WorkflowSort.CREATED);

        private boolean isIndexed() {
            return words.isBlank() && state.isEmpty() && sort == WorkflowSort.CREATED;
        }
    }

    @SqlQuery("""
            INSERT INTO workflow (organization_id, id, name, description, draft, valid, created_by, created_at, updated_at,
                updated_by)
            VALUES (:organization, :id, :name, :description, :draft, :valid, :by, :now, :now, :by)
            RETURNING""" + COLUMNS)
    Workflow insert(
            OrganizationId organization, WorkflowId id, @BindMethods DraftColumns columns, String by, Instant now);

    /** A draft that is again the same as the published version has no unpublished changes. */
    @SqlQuery("""
            UPDATE workflow SET name = :name, description = :description, draft = :draft, valid = :valid,
                updated_at = :now, updated_by = :by,
                published_draft = published_draft AND :same OR coalesce(:draft::text = (
                    SELECT v.document FROM workflow_version v
                    WHERE v.organization_id = workflow.organization_id AND v.workflow_id = workflow.id
                      AND v.version = workflow.published_version), false),
                revision = CASE WHEN :same THEN revision ELSE revision + 1 END
            WHERE organization_id = :organization AND id = :id
            RETURNING""" + COLUMNS)
    Workflow save(
            OrganizationId organization,
            WorkflowId id,
            @BindMethods DraftColumns columns,
            boolean same,
            String by,
            Instant now);

    @SqlQuery(DRAFT)
    Optional<WorkflowDraft> find(OrganizationId organization, WorkflowId id);

    @SqlQuery(DRAFT + " FOR NO KEY UPDATE")
    Optional<WorkflowDraft> lock(OrganizationId organization, WorkflowId id);

    @SqlQuery("SELECT positions, notes FROM workflow WHERE organization_id = :organization AND id = :id")
    Optional<TaskPositions> positions(OrganizationId organization, WorkflowId id);

    /** @param positions the JSON of {@link TaskPositions}; without notes, it keeps the stored ones */
    @SqlQuery("""
            UPDATE workflow SET positions = :positions::jsonb -> 'positions',
                notes = coalesce(nullif(:positions::jsonb -> 'notes', 'null'), notes)
            WHERE organization_id = :organization AND id = :id
            RETURNING positions, notes""")
    Optional<TaskPositions> place(OrganizationId organization, WorkflowId id, String positions);

    /** Workflows that are not archived. */
    default List<Workflow> list(
            OrganizationId organization, WorkflowSearch search, Optional<WorkflowId> after, int limit) {
        return search.isIndexed()
                ? newest(organization, after, limit)
                : search(
                        organization,
                        search.words,
                        after,
                        WorkflowNamesResource.MAX_NAMES,
                        limit,
                        search.state.map(WorkflowState::condition).orElse("true"),
                        search.sort.after(),
                        search.sort.order());
    }

    @SqlQuery("SELECT" + COLUMNS + """
            FROM (
                SELECT * FROM workflow WHERE organization_id = :organization AND archived_at IS NULL
                ORDER BY id DESC LIMIT :examined) w
            WHERE NOT EXISTS (
                SELECT FROM regexp_split_to_table(trim(lower(:words)), '\\s+') AS s (word)
                WHERE strpos(lower(w.name || ' ' || w.description), s.word) = 0
            ) AND <condition> AND (:after::uuid IS NULL OR EXISTS (
                SELECT FROM workflow a
                WHERE a.organization_id = :organization AND a.id = :after::uuid AND <following>))
            ORDER BY <order> LIMIT :limit""")
    List<Workflow> search(
            OrganizationId organization,
            String words,
            Optional<WorkflowId> after,
            int examined,
            int limit,
            @Define String condition,
            @Define String following,
            @Define String order);

    @SqlQuery("SELECT" + COLUMNS + """
            FROM workflow
            WHERE organization_id = :organization AND archived_at IS NULL AND (:after::uuid IS NULL OR id < :after::uuid)
            ORDER BY id DESC LIMIT :limit""")
    List<Workflow> newest(OrganizationId organization, Optional<WorkflowId> after, int limit);

    /** Newest first, also archived ones. */
    @SqlQuery("""
            SELECT id, name, published_version IS NOT NULL AS published, archived_at IS NOT NULL AS archived
            FROM workflow WHERE organization_id = :organization ORDER BY id DESC LIMIT :limit""")
    List<WorkflowNamesResource.WorkflowName> names(OrganizationId organization, int limit);

    @SqlUpdate("""
            UPDATE workflow SET archived_at = coalesce(archived_at, :now)
            WHERE organization_id = :organization AND id = :id""")
    void archive(OrganizationId organization, WorkflowId id, Instant now);

    /** Makes the draft a version. */
    @SqlUpdate("""
            WITH published AS (
                UPDATE workflow SET published_version = :version, published_draft = true, valid = true
                WHERE organization_id = :organization AND id = :id
                RETURNING organization_id, id, draft)
            INSERT INTO workflow_version (organization_id, workflow_id, version, document, published_by, published_at, note)
            SELECT organization_id, id, :version, draft, :by, :now, :note FROM published""")
    void publish(
            OrganizationId organization, WorkflowId id, int version, String by, Instant now, @Nullable String note);

    /**
     * Pins the code that a version runs: the newest of each artifact, so that every instance of the version, and its
     * history, refers to the same code. Blocks the deletion of the artifacts until commit.
     */
    @SqlUpdate("""
            INSERT INTO workflow_version_code (organization_id, workflow_id, workflow_version, artifact_id,
                artifact_version)
            SELECT organization_id, :workflow, :version, id, version FROM code_artifact
            WHERE organization_id = :organization AND id = ANY (:artifacts) AND deleted_at IS NULL
            FOR SHARE""")
    void pinCode(OrganizationId organization, WorkflowId workflow, int version, Set<Integer> artifacts);

    /** Whether newer code exists than a version runs; publishing again then creates a new version. */
    @SqlQuery("""
            SELECT EXISTS (
                SELECT FROM workflow_version_code p
                JOIN code_artifact a ON a.organization_id = p.organization_id AND a.id = p.artifact_id
                WHERE p.organization_id = :organization AND p.workflow_id = :workflow AND p.workflow_version = :version
                  AND a.version > p.artifact_version)""")
    boolean hasNewerCode(OrganizationId organization, WorkflowId workflow, int version);

    /** Newest first. */
    @SqlQuery("""
            SELECT version, published_by, published_at, note FROM workflow_version
            WHERE organization_id = :organization AND workflow_id = :id
              AND (:after::integer IS NULL OR version < :after::integer)
            ORDER BY version DESC LIMIT :limit""")
    List<WorkflowVersion.Summary> versions(
            OrganizationId organization, WorkflowId id, Optional<Integer> after, int limit);

    @SqlQuery("""
            SELECT version, published_by, published_at, note, document FROM workflow_version
            WHERE organization_id = :organization AND workflow_id = :id AND version = :version""")
    Optional<WorkflowVersion> version(OrganizationId organization, WorkflowId id, int version);

    @SqlQuery("""
            SELECT published_version FROM workflow
            WHERE organization_id = :organization AND id = :id AND archived_at IS NULL AND published_version IS NOT NULL""")
    Optional<Integer> publishedVersion(OrganizationId organization, WorkflowId id);
}
