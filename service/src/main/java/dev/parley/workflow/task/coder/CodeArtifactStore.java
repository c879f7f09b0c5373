package dev.parley.workflow.task.coder;

import dev.parley.http.json.JsonColumns;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.config.RegisterArgumentFactory;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapperFactory;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The tables {@code code_artifact} and {@code code_artifact_version}. Versions are never updated. */
@RegisterColumnMapperFactory(JsonColumns.class)
@RegisterArgumentFactory(JsonColumns.class)
interface CodeArtifactStore {
    String COLUMNS =
            "SELECT a.id, a.name, a.language, a.updated_at, v.version, v.inputs, v.outputs, v.created_by, v.created_at,";

    /** The versions of artifacts that are not deleted. */
    String ALL = """
             FROM code_artifact a
            JOIN code_artifact_version v ON v.organization_id = a.organization_id AND v.artifact_id = a.id
            WHERE a.organization_id = :organization AND a.deleted_at IS NULL AND\s""";

    /** Inserts an artifact at version 1. */
    @SqlUpdate("""
            INSERT INTO code_artifact (organization_id, id, name, language, version, created_by, created_at, updated_at)
            VALUES (:organization, :id, :name, :language, 1, :by, :now, :now)""")
    void insert(OrganizationId organization, int id, String name, String language, String by, Instant now);

    @SqlUpdate("""
            INSERT INTO code_artifact_version (organization_id, artifact_id, version, source, inputs, outputs, created_by,
                created_at)
            VALUES (:organization, :id, :version, :source, :inputs, :outputs, :by, :now)""")
    void insertVersion(
            OrganizationId organization,
            int id,
            int version,
            @BindMethods CodeArtifacts.ArtifactDraft draft,
            String by,
            Instant now);

    @SqlUpdate("""
            UPDATE code_artifact SET name = :name, version = :version, updated_at = :now
            WHERE organization_id = :organization AND id = :id""")
    void update(OrganizationId organization, int id, String name, int version, Instant now);

    /** The newest version. */
    @SqlQuery(COLUMNS + "v.source" + ALL + "a.id = :id AND v.version = a.version")
    Optional<CodeArtifact> find(OrganizationId organization, int id);

    @SqlQuery(COLUMNS + "v.source" + ALL + "a.id = :id AND v.version = :version")
    Optional<CodeArtifact> version(OrganizationId organization, int id, int version);

    /** In id order, without the code. */
    @SqlQuery(COLUMNS + "NULL AS source" + ALL + "v.version = a.version AND a.id > :after ORDER BY a.id LIMIT :limit")
    List<CodeArtifact> list(OrganizationId organization, int after, int limit);

    /** Newest first. */
    @SqlQuery("""
            SELECT version, created_by, created_at FROM code_artifact_version
            WHERE organization_id = :organization AND artifact_id = :id
              AND (:after::integer IS NULL OR version < :after::integer)
            ORDER BY version DESC LIMIT :limit""")
    List<CodeArtifact.Version> versions(OrganizationId organization, int id, Optional<Integer> after, int limit);

    @SqlQuery("""
            SELECT id FROM code_artifact
            WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL FOR UPDATE""")
    Optional<Integer> lock(OrganizationId organization, int id);

    @SqlUpdate("UPDATE code_artifact SET deleted_at = :now WHERE organization_id = :organization AND id = :id")
    void delete(OrganizationId organization, int id, Instant now);

    /** The version that a workflow's version pins, and for a test run of a draft (version 0) the newest. */
    @SqlQuery("""
            SELECT p.artifact_version FROM workflow_version_code p
            WHERE p.organization_id = :organization AND p.workflow_id = :workflow AND p.workflow_version = :version
              AND p.artifact_id = :artifact
            UNION ALL
            SELECT a.version FROM code_artifact a
            WHERE :version = 0 AND a.organization_id = :organization AND a.id = :artifact AND a.deleted_at IS NULL""")
    Optional<Integer> versionFor(OrganizationId organization, WorkflowId workflow, int version, int artifact);

    /** The code of a version, also of a deleted artifact. */
    @SqlQuery("""
            SELECT a.language, v.source FROM code_artifact a
            JOIN code_artifact_version v ON v.organization_id = a.organization_id AND v.artifact_id = a.id
            WHERE a.organization_id = :organization AND a.id = :artifact AND v.version = :version""")
    Optional<CodeArtifacts.Code> code(OrganizationId organization, int artifact, int version);
}
