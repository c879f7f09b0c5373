package dev.parley.workflow.definition.reference;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The table {@code workflow_reference}: what the draft and the newest published version of each workflow reference. */
interface WorkflowReferenceStore {
    /** From the published versions of workflows that are not archived. */
    String PUBLISHED = """
            FROM workflow_reference r
            JOIN workflow w ON w.organization_id = r.organization_id AND w.id = r.workflow_id
            JOIN workflow_version v ON v.organization_id = w.organization_id AND v.workflow_id = w.id
              AND v.version = w.published_version
            WHERE r.organization_id = :organization AND r.kind = :kind.text AND r.target = :target AND r.published
              AND w.archived_at IS NULL
            ORDER BY w.id""";

    /** A workflow that references an entity. */
    @Schema(name = "ReferencingWorkflow")
    record ReferencingWorkflow(
            @Schema(examples = "0192f0c1a2b37c4d8e5f60718293a4b5")
            WorkflowId id,

            @Schema(examples = "Invoice approval") String name,

            @Schema(description = "Whether the draft references it")
            boolean inDraft,

            @Schema(description = "Whether the newest published version references it")
            boolean inPublished) {}

    /** @param total the number of all workflows that reference the target */
    record TargetUsage(String target, @Nested ReferencingWorkflow workflow, int total) {}

    @SqlUpdate("""
            DELETE FROM workflow_reference
            WHERE organization_id = :organization AND workflow_id = :workflow AND published = :published""")
    void delete(OrganizationId organization, WorkflowId workflow, boolean published);

    @SqlUpdate("""
            INSERT INTO workflow_reference (organization_id, kind, target, workflow_id, published)
            SELECT :organization, kind, target, :workflow, false
            FROM unnest(:kinds::text[], :targets::text[]) AS named (kind, target)""")
    void insertDraft(OrganizationId organization, WorkflowId workflow, List<String> kinds, List<String> targets);

    /** Makes the references of the draft those of the published version. */
    @SqlUpdate("""
            INSERT INTO workflow_reference (organization_id, kind, target, workflow_id, published)
            SELECT organization_id, kind, target, workflow_id, true FROM workflow_reference
            WHERE organization_id = :organization AND workflow_id = :workflow AND NOT published""")
    void publishDraft(OrganizationId organization, WorkflowId workflow);

    /**
     * The usages of entities by workflows that are not archived. Several references may count for one target, such as
     * the tools of a provider.
     *
     * @param targets the target of each reference
     * @param limit the number of workflows for each target, newest first
     */
    @SqlQuery("""
            SELECT * FROM (
                SELECT u.*, count(*) OVER (PARTITION BY target) AS total,
                    row_number() OVER (PARTITION BY target ORDER BY id DESC) AS number
                FROM (
                    SELECT named.target, w.id, w.name, bool_or(NOT r.published) AS in_draft,
                        bool_or(r.published) AS in_published
                    FROM unnest(:targets::text[], :references::text[]) AS named (target, reference)
                    JOIN workflow_reference r ON r.organization_id = :organization AND r.kind = :kind.text
                      AND r.target = named.reference
                    JOIN workflow w ON w.organization_id = r.organization_id AND w.id = r.workflow_id
                    WHERE w.archived_at IS NULL
                    GROUP BY named.target, w.id, w.name) u) numbered
            WHERE number <= :limit ORDER BY id DESC""")
    List<TargetUsage> usages(
            OrganizationId organization,
            @BindMethods("kind") ReferenceKind kind,
            Collection<String> targets,
            Collection<String> references,
            int limit);

    @SqlQuery("SELECT w.name " + PUBLISHED)
    List<String> publishedNames(OrganizationId organization, @BindMethods("kind") ReferenceKind kind, String target);

    @SqlQuery("SELECT v.document " + PUBLISHED)
    List<String> publishedDocuments(
            OrganizationId organization, @BindMethods("kind") ReferenceKind kind, String target);

    /** Blocks the deletion of data lakes until commit. */
    @SqlQuery("""
            SELECT id FROM data_lake WHERE organization_id = :organization AND id = ANY (:lakes)
            ORDER BY id FOR SHARE""")
    List<UUID> lockDataLakes(OrganizationId organization, Collection<UUID> lakes);
}
