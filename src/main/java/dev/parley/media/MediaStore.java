package dev.parley.media;

import dev.parley.blob.BlobInfo;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UploadId;
import dev.parley.media.core.FileName;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Metadata of files; their bytes are in the blob store. */
@Singleton
public final class MediaStore {
    private static final String COLUMNS = """
            u.organization_id AS organization, u.id, u.folder AS kind, u.filename, u.original_name, u.content_type,
            u.size, u.team_id, u.workflow_id, u.state, u.sha256, u.version, u.created_by, u.created_at
            """;

    /** The files visible to a restricted key: its own uploads, and those used in its scope. */
    private static final String VISIBLE = """
            AND (CAST(:team AS integer) IS NULL OR u.team_id = :team OR EXISTS (
                SELECT FROM upload_use s WHERE s.organization_id = u.organization_id AND s.upload_id = u.id
                AND s.team_id = :team))
            AND (CAST(:workflow AS uuid) IS NULL OR u.workflow_id = :workflow OR EXISTS (
                SELECT FROM upload_use s WHERE s.organization_id = u.organization_id AND s.upload_id = u.id
                AND s.workflow_id = :workflow))
            """;

    /** The maximum number of pending uploads with one name among which the uploaded one is searched. */
    private static final int MAX_PENDING = 100;

    private final Database database;

    public MediaStore(Database database) {
        this.database = database;
    }

    /**
     * Inserts an upload under a stored name that is unique in the organization: its time, or if that is taken, the next
     * free second.
     *
     * @return the upload with its name
     */
    Upload insert(Handle handle, Upload upload) {
        Upload named = upload;
        Instant second = upload.createdAt();
        while (!insertIfFree(handle, named)) {
            // The latest file with the name shows which seconds are taken, so that concurrent uploads do not try each
            // one.
            Instant latest = latestOf(handle, upload).filter(second::isBefore).orElse(second);
            second = latest.plusSeconds(1);
            named = upload.named(FileName.stored(second, upload.originalName()));
        }
        return named;
    }

    /** Blocks while another transaction inserts the same name. */
    private static boolean insertIfFree(Handle handle, Upload upload) {
        return handle.createUpdate("""
                                INSERT INTO upload (organization_id, id, folder, filename, original_name, content_type,
                                    size, team_id, workflow_id, state, created_by, created_at, own_name)
                                SELECT :organization, :id, :folder, :filename, :originalName, :contentType, :size, :teamId,
                                    :workflowId, :state, :createdBy, :createdAt, true
                                WHERE NOT EXISTS (SELECT FROM upload
                                    WHERE organization_id = :organization AND filename = :filename)
                                ON CONFLICT (organization_id, filename) WHERE own_name DO NOTHING
                                """)
                        .bindMethods(upload)
                        .bind("folder", upload.kind().folder())
                        .execute()
                == 1;
    }

    private static Optional<Instant> latestOf(Handle handle, Upload upload) {
        return handle.createQuery("""
                        SELECT filename FROM upload WHERE organization_id = :organization AND original_name = :original
                        ORDER BY id DESC LIMIT 1
                        """)
                .bind("organization", upload.organization())
                .bind("original", upload.originalName())
                .mapTo(String.class)
                .findOne()
                .flatMap(FileName::second);
    }

    /** Inserts a file that the service is about to store, under a unique stored name. */
    Upload insert(Upload upload) {
        return database.transaction(handle -> insert(handle, upload));
    }

    /** Marks a file as stored by the service; false if it was abandoned meanwhile. */
    boolean stored(Upload upload, FileReference use) {
        return database.transaction(handle -> {
            if (!stored(handle, upload.organization(), upload.id(), upload.info(), upload.sha256())) {
                return false;
            }
            use(handle, upload.id(), use);
            if (use.instance() != null) {
                handle.execute(
                        "UPDATE upload SET stored_for = ? WHERE organization_id = ? AND id = ?",
                        use.instance().value(),
                        upload.organization().value(),
                        upload.id().value());
            }
            return true;
        });
    }

    /** A file by the id in its path. */
    public Optional<Upload> find(FileScope view, UploadId id) {
        return database.with(handle -> find(handle, view, id));
    }

    static Optional<Upload> find(Handle handle, FileScope view, UploadId id) {
        return bind(
                        handle.createQuery("SELECT " + COLUMNS
                                + " FROM upload u WHERE u.organization_id = :organization AND u.id = :id"
                                + " AND u.state <> 'ABANDONED' " + VISIBLE),
                        view)
                .bind("id", id)
                .mapTo(Upload.class)
                .findOne();
    }

    /** The upload with a stored name. */
    Optional<Upload> findByName(FileScope view, String name, String contentType) {
        return FileName.safeStored(name)
                .flatMap(stored -> findBy("u.filename = :name", view, stored, contentType, 1).stream()
                        .findFirst());
    }

    /**
     * The uploads with an original name, newest first: unverified ones up to a limit, and the newest verified one. Only
     * the blob store knows which of the former were uploaded.
     */
    List<Upload> findByOriginalName(FileScope view, String name, String contentType) {
        Optional<String> original = FileName.safe(name);
        if (original.isEmpty()) {
            return List.of();
        }
        Optional<Upload> stored =
                findBy("u.original_name = :name AND u.state = 'STORED'", view, original.get(), contentType, 1).stream()
                        .findFirst();
        List<Upload> candidates = new ArrayList<>(findBy(
                "u.original_name = :name AND u.state = 'PENDING'", view, original.get(), contentType, MAX_PENDING));
        stored.ifPresent(checked -> {
            candidates.removeIf(
                    pending -> pending.id().text().compareTo(checked.id().text()) < 0);
            candidates.add(checked);
        });
        return candidates;
    }

    private List<Upload> findBy(String condition, FileScope view, String name, String contentType, int limit) {
        return database.with(handle -> bind(
                        handle.createQuery("SELECT " + COLUMNS
                                + " FROM upload u WHERE u.organization_id = :organization AND " + condition
                                + " AND u.content_type = :type AND u.folder <> 'file' AND u.state <> 'ABANDONED'"
                                // A file that a task failed to store must not hide an upload with the same name.
                                + " AND (u.state = 'STORED' OR u.created_by <> 'system') "
                                + VISIBLE + " ORDER BY u.id DESC LIMIT :limit"),
                        view)
                .bind("name", name)
                .bind("type", contentType)
                .bind("limit", limit)
                .mapTo(Upload.class)
                .list());
    }

    /** Marks the bytes as verified; false if the file was abandoned meanwhile. */
    boolean stored(OrganizationId organization, UploadId id, BlobInfo info, String sha256) {
        return database.with(handle -> stored(handle, organization, id, info, sha256));
    }

    private static boolean stored(
            Handle handle, OrganizationId organization, UploadId id, BlobInfo info, @Nullable String sha256) {
        return handle.createUpdate("""
                                UPDATE upload SET state = 'STORED', size = :size, version = :version, sha256 = :sha256
                                WHERE organization_id = :organization AND id = :id
                                  AND (state = 'PENDING' OR (state = 'STORED' AND version = :version))
                                """)
                        .bind("organization", organization)
                        .bind("id", id)
                        .bind("size", info.size())
                        .bind("version", info.version())
                        .bind("sha256", sha256)
                        .execute()
                == 1;
    }

    void use(UploadId id, FileReference use) {
        database.change(handle -> use(handle, id, use));
    }

    private static void use(Handle handle, UploadId id, FileReference use) {
        handle.createUpdate("""
                        INSERT INTO upload_use (organization_id, upload_id, used_by, team_id, workflow_id)
                        VALUES (:organization, :id, :by, :team, :workflow)
                        ON CONFLICT (organization_id, upload_id, used_by) DO NOTHING
                        """)
                .bind("organization", use.organization())
                .bind("id", id)
                .bind("by", use.usedBy())
                .bind("team", use.teamId())
                .bind("workflow", use.workflowId())
                .execute();
    }

    /**
     * Abandons unused files and returns them, together with those whose deletion failed earlier. Covers all
     * organizations, because this is maintenance.
     */
    List<Upload> abandon(Instant before, int limit) {
        return database.with(handle -> handle.createQuery("""
                        UPDATE upload u SET state = 'ABANDONED'
                        WHERE (organization_id, id) IN (
                            SELECT organization_id, id FROM upload WHERE state <> 'STORED' AND created_at < :before
                            ORDER BY created_at LIMIT :limit)
                          AND state <> 'STORED'
                        RETURNING
                        """ + COLUMNS)
                .bind("before", before)
                .bind("limit", limit)
                .mapTo(Upload.class)
                .list());
    }

    void delete(Upload upload) {
        database.change(handle -> handle.execute(
                "DELETE FROM upload WHERE organization_id = ? AND id = ? AND state = 'ABANDONED'",
                upload.organization().value(),
                upload.id().value()));
    }

    private static Query bind(Query query, FileScope view) {
        return query.bind("organization", view.organization())
                .bind("team", view.teamId())
                .bind("workflow", view.workflowId());
    }
}
