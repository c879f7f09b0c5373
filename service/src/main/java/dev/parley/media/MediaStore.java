package dev.parley.media;

import dev.parley.blob.BlobInfo;
import dev.parley.id.OrganizationId;
import dev.parley.id.UploadId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The tables {@code upload} and {@code upload_use}: metadata of files, whose bytes are in the blob store. */
interface MediaStore {
    String COLUMNS =
            " u.organization_id AS organization, u.id, u.folder AS kind, u.filename, u.original_name, u.content_type,"
                    + " u.size, u.team_id, u.workflow_id, u.state, u.sha256, u.version, u.created_by, u.created_at ";

    /** The files visible to a restricted key: its own uploads, and those used in its scope. */
    String VISIBLE = """
             AND (:teamId::integer IS NULL OR u.team_id = :teamId OR EXISTS (
                SELECT FROM upload_use s WHERE s.organization_id = u.organization_id AND s.upload_id = u.id
                AND s.team_id = :teamId))
            AND (:workflowId::uuid IS NULL OR u.workflow_id = :workflowId OR EXISTS (
                SELECT FROM upload_use s WHERE s.organization_id = u.organization_id AND s.upload_id = u.id
                AND s.workflow_id = :workflowId))
            """;

    /** A file that a task failed to store must not hide an upload with the same name. */
    String WITH_TYPE = "SELECT" + COLUMNS + """
            FROM upload u WHERE u.organization_id = :organization AND u.content_type = :type AND u.folder <> 'file'
              AND u.state <> 'ABANDONED' AND (u.state = 'STORED' OR u.created_by <> 'system')""" + VISIBLE;

    /** Empty if the name is taken. Blocks while another transaction inserts the same name. */
    @SqlQuery("""
            INSERT INTO upload AS u (organization_id, id, folder, filename, original_name, content_type, size, team_id,
                workflow_id, state, created_by, created_at, own_name)
            SELECT :organization, :id, :kind.folder, :filename, :originalName, :contentType, :size, :teamId,
                :workflowId, :state, :createdBy, :createdAt, true
            WHERE NOT EXISTS (SELECT FROM upload WHERE organization_id = :organization AND filename = :filename)
            ON CONFLICT (organization_id, filename) WHERE own_name DO NOTHING
            RETURNING""" + COLUMNS)
    Optional<Upload> insert(@BindMethods Upload upload, String filename);

    /** Until the transaction ends, one upload at a time looks for a free second for the name. */
    @SqlUpdate("SELECT pg_advisory_xact_lock(hashtextextended(:organization::text || :originalName, 0))")
    void lockName(@BindMethods Upload upload);

    /** The latest of the stored names of the newest files with the original name; their order is not that of their ids. */
    @SqlQuery("""
            SELECT max(filename) FROM (
                SELECT filename FROM upload WHERE organization_id = :organization AND original_name = :originalName
                ORDER BY id DESC LIMIT 100
            ) newest""")
    Optional<String> latestName(@BindMethods Upload upload);

    /** A file by the id in its path. */
    @SqlQuery("SELECT" + COLUMNS + """
            FROM upload u WHERE u.organization_id = :organization AND u.id = :id AND u.state <> 'ABANDONED'""" + VISIBLE)
    Optional<Upload> find(@BindMethods FileScope scope, UploadId id);

    @SqlQuery(WITH_TYPE + "AND u.filename = :name ORDER BY u.id DESC LIMIT 1")
    Optional<Upload> findByName(@BindMethods FileScope scope, String name, String type);

    /** Newest first. */
    @SqlQuery(WITH_TYPE + "AND u.original_name = :name AND u.state = :state ORDER BY u.id DESC LIMIT :limit")
    List<Upload> findByOriginalName(
            @BindMethods FileScope scope, String name, String type, Upload.State state, int limit);

    /**
     * Marks the bytes as verified; empty if the file was abandoned meanwhile.
     *
     * @param instance whose task made the file; null for an upload
     */
    @SqlQuery("""
            UPDATE upload u SET state = 'STORED', size = :size, version = :version, sha256 = :sha256,
                stored_for = coalesce(:instance::uuid, stored_for)
            WHERE organization_id = :organization AND id = :id
              AND (state = 'PENDING' OR (state = 'STORED' AND version = :version))
            RETURNING""" + COLUMNS)
    Optional<Upload> setStored(
            OrganizationId organization,
            UploadId id,
            @BindMethods BlobInfo info,
            String sha256,
            @Nullable WorkflowInstanceId instance);

    @SqlUpdate("""
            INSERT INTO upload_use (organization_id, upload_id, used_by, team_id, workflow_id)
            VALUES (:organization, :id, :usedBy, :teamId, :workflowId)
            ON CONFLICT (organization_id, upload_id, used_by) DO NOTHING""")
    void use(UploadId id, @BindMethods FileReference reference);

    /** Abandons unused files of all organizations; returns also those whose deletion failed earlier. */
    @SqlQuery("""
            UPDATE upload u SET state = 'ABANDONED'
            WHERE (organization_id, id) IN (
                SELECT organization_id, id FROM upload WHERE state <> 'STORED' AND created_at < :before
                ORDER BY created_at LIMIT :limit)
              AND state <> 'STORED'
            RETURNING""" + COLUMNS)
    List<Upload> abandon(Instant before, int limit);

    @SqlUpdate("DELETE FROM upload WHERE organization_id = :organization AND id = :id AND state = 'ABANDONED'")
    void delete(OrganizationId organization, UploadId id);

    /** A file that a task stored, which may be in use. */
    record OrphanCandidate(OrganizationId organization, UploadId id, Instant createdAt) {}

    /** Whether an output or a message names a file. */
    enum OrphanCheck {
        NAMED,
        MAY_BE_NAMED,
        LEFT_OVER
    }

    /** Files of all organizations that tasks stored, oldest first, after the last one. */
    @SqlQuery("""
            SELECT organization_id AS organization, id, created_at FROM upload
            WHERE stored_for IS NOT NULL AND state = 'STORED' AND created_at < :before
              AND (created_at, organization_id, id) > (:createdAt, :organization, :id)
            ORDER BY created_at, organization_id, id LIMIT :limit""")
    List<OrphanCandidate> orphanCandidates(@BindMethods OrphanCandidate last, Instant before, int limit);

    /** @param named part of the URIs that name the file */
    @SqlQuery("""
            WITH kept AS (
                SELECT u.stored_for, i.id, i.conversation_id, i.state, i.finished_at
                FROM upload u LEFT JOIN workflow_instance i
                    ON i.organization_id = u.organization_id AND i.id = u.stored_for
                WHERE u.organization_id = :organization AND u.id = :id
            )
            SELECT CASE
                WHEN strpos(k.state, :named) > 0
                    OR EXISTS (SELECT FROM upload_use s
                        WHERE s.organization_id = :organization AND s.upload_id = :id
                          AND s.used_by <> k.stored_for AND s.used_by IS DISTINCT FROM k.conversation_id)
                    OR EXISTS (SELECT FROM workflow_instance_change l
                        WHERE l.organization_id = :organization AND l.instance_id = k.id
                          AND strpos(l.delta, :named) > 0)
                    OR EXISTS (SELECT FROM message m
                        WHERE m.organization_id = :organization AND m.conversation_id = k.conversation_id
                          AND m.id > k.id AND strpos(m.file, :named) > 0)
                THEN 'NAMED'
                WHEN k.id IS NOT NULL AND k.finished_at IS NULL THEN 'MAY_BE_NAMED'
                ELSE 'LEFT_OVER' END
            FROM kept k""")
    OrphanCheck checkOrphan(@BindMethods OrphanCandidate candidate, String named);

    /** Ends the checks of a file that a task stored. */
    @SqlUpdate("""
            UPDATE upload SET stored_for = NULL, state = :state
            WHERE organization_id = :organization AND id = :id AND state = 'STORED'""")
    void endOrphanCheck(@BindMethods OrphanCandidate candidate, Upload.State state);
}
