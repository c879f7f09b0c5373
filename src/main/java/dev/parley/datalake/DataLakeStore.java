package dev.parley.datalake;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.db.Database;
import dev.parley.http.StrictJson;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.RowView;
import org.jspecify.annotations.Nullable;

/** The table {@code data_lake}. */
@Singleton
public final class DataLakeStore {
    private static final String COLUMNS = "id, name, format, status, rows, columns, s3_uri, s3_objects, read_at,"
            + " sheet, notes, created_by, created_at, blob_key, blob_size, blob_version, writing_key";

    private final Database database;
    private final Clock clock;
    private final DataLakeUseGuard guard;

    public DataLakeStore(Database database, Clock clock, DataLakeUseGuard guard) {
        this.database = database;
        this.clock = clock;
        this.guard = guard;
    }

    /** The location of a READY table's Parquet file. */
    record StoredBlob(BlobKey key, BlobInfo info) {}

    /**
     * A table and its location.
     *
     * @param place null while PENDING
     * @param writing the location of its next file, if one is being written
     */
    record StoredDataLake(
            DataLake lake,
            @Nullable StoredBlob place,
            @Nullable BlobKey writing) {}

    /**
     * How a file replaces the table's rows.
     *
     * @param mayBreak whether columns that published workflows read may be missing
     */
    record Replacement(DataLake.Format format, ImportOptions options, boolean mayBreak) {}

    /** The key of a table. */
    record DataLakeKey(OrganizationId organization, DataLakeId id) {}

    DataLake insert(
            OrganizationId organization,
            DataLakeId id,
            String name,
            DataLake.Format format,
            @Nullable String s3Uri,
            String createdBy) {
        Instant now = clock.instant();
        database.change(handle -> handle.createUpdate("""
                        INSERT INTO data_lake (organization_id, id, name, format, status, s3_uri, created_by, created_at)
                        VALUES (:organization, :id, :name, :format, 'PENDING', :uri, :by, :now)""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("name", name)
                .bind("format", format.text())
                .bindByType("uri", s3Uri, String.class)
                .bind("by", createdBy)
                .bind("now", now)
                .execute());
        return find(organization, id).orElseThrow().lake();
    }

    /** Renames a table; empty if there is no such table. */
    Optional<DataLake> rename(OrganizationId organization, DataLakeId id, String name) {
        database.change(handle -> handle.createUpdate(
                        "UPDATE data_lake SET name = :name WHERE organization_id = :organization AND id = :id")
                .bind("name", name)
                .bind("organization", organization)
                .bind("id", id)
                .execute());
        return find(organization, id).map(StoredDataLake::lake);
    }

    /**
     * Records that a table's file is being written to this key; false if another one is being written. A write that
     * began before the given time counts as abandoned.
     */
    boolean begin(OrganizationId organization, DataLakeId id, BlobKey key, Instant before) {
        return database.transaction(handle -> handle.createUpdate("""
                        UPDATE data_lake SET writing_key = :key, writing_since = :now
                        WHERE organization_id = :organization AND id = :id
                          AND (writing_key IS NULL OR writing_since < :before)""")
                        .bind("organization", organization)
                        .bind("id", id)
                        .bind("key", key.text())
                        .bind("now", clock.instant())
                        .bind("before", before)
                        .execute()
                == 1);
    }

    /** Atomically makes the written file the table; false if the table was deleted or the write abandoned. */
    boolean finish(
            OrganizationId organization, DataLakeId id, BlobKey key, Replacement to, LakeImport.ImportedTable made) {
        return database.transaction(handle -> {
            boolean finished = finish(handle, organization, id, key, to, made);
            if (finished && !to.mayBreak()) {
                guard.requireColumns(organization, id, columns(made.columns()));
            }
            return finished;
        });
    }

    private boolean finish(
            Handle handle,
            OrganizationId organization,
            DataLakeId id,
            BlobKey key,
            Replacement to,
            LakeImport.ImportedTable made) {
        return handle.createUpdate("""
                        UPDATE data_lake SET status = 'READY', format = :format, rows = :rows, columns = :columns,
                            sheet = :sheet, notes = :notes, blob_key = :key,
                            blob_size = :size, blob_version = :version, writing_key = NULL, writing_since = NULL,
                            s3_objects = CASE WHEN s3_uri IS NOT NULL THEN :objects END,
                            read_at = CASE WHEN s3_uri IS NOT NULL OR status = 'READY' THEN :now END
                        WHERE organization_id = :organization AND id = :id AND writing_key = :key""")
                        .bind("organization", organization)
                        .bind("id", id)
                        .bind("format", to.format().text())
                        .bindByType("sheet", to.options().sheet(), String.class)
                        .bind("notes", made.notes())
                        .bind("rows", made.rows())
                        .bind("columns", made.columns())
                        .bind("key", key.text())
                        .bind("size", made.info().size())
                        .bind("version", made.info().version())
                        .bind("objects", made.files())
                        .bind("now", clock.instant())
                        .execute()
                == 1;
    }

    /** Abandons a write. */
    void abandonWrite(OrganizationId organization, DataLakeId id, BlobKey key) {
        database.change(handle -> handle.createUpdate("""
                        UPDATE data_lake SET writing_key = NULL, writing_since = NULL
                        WHERE organization_id = :organization AND id = :id AND writing_key = :key""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("key", key.text())
                .execute());
    }

    Optional<StoredDataLake> find(OrganizationId organization, DataLakeId id) {
        return database.with(handle -> handle.createQuery(
                        "SELECT " + COLUMNS + " FROM data_lake WHERE organization_id = :organization AND id = :id")
                .bind("organization", organization)
                .bind("id", id)
                .map(DataLakeStore::read)
                .findOne());
    }

    /** Newest first. */
    List<DataLake> list(OrganizationId organization, Optional<DataLakeId> after, int limit) {
        return database.with(handle -> handle.createQuery("SELECT " + COLUMNS + """
                         FROM data_lake
                        WHERE organization_id = :organization AND (CAST(:after AS uuid) IS NULL OR id < :after)
                        ORDER BY id DESC LIMIT :limit""")
                .bind("organization", organization)
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> read(row).lake())
                .list());
    }

    boolean delete(OrganizationId organization, DataLakeId id) {
        return database.transaction(handle ->
                handle.createUpdate("DELETE FROM data_lake WHERE organization_id = :organization AND id = :id")
                                .bind("organization", organization)
                                .bind("id", id)
                                .execute()
                        == 1);
    }

    /** Same, unless the published version of a workflow reads the table: then a 409 that names the workflows. */
    boolean deleteUnused(OrganizationId organization, DataLakeId id) {
        return database.transaction(handle -> {
            boolean found = handle.createQuery("""
                            SELECT id FROM data_lake WHERE organization_id = :organization AND id = :id FOR UPDATE""")
                    .bind("organization", organization)
                    .bind("id", id)
                    .mapTo(UUID.class)
                    .findOne()
                    .isPresent();
            if (!found) {
                return false;
            }
            guard.requireUnused(organization, id);
            handle.createUpdate("DELETE FROM data_lake WHERE organization_id = :organization AND id = :id")
                    .bind("organization", organization)
                    .bind("id", id)
                    .execute();
            return true;
        });
    }

    /** Tables whose file was never uploaded. */
    List<DataLakeKey> abandoned(Instant before, int limit) {
        return owned("""
                SELECT organization_id AS organization, id FROM data_lake
                WHERE status = 'PENDING' AND created_at < :before ORDER BY created_at LIMIT :limit""", before, limit);
    }

    /** Tables of organizations deleted before then. */
    List<DataLakeKey> ofDeletedOrganizations(Instant before, int limit) {
        return owned("""
                SELECT l.organization_id AS organization, l.id
                FROM organization o JOIN data_lake l ON l.organization_id = o.id
                WHERE o.deleted_at IS NOT NULL AND o.deleted_at < :before LIMIT :limit""", before, limit);
    }

    /** Writes that began before then and never finished. */
    List<DataLakeKey> abandonedWrites(Instant before, int limit) {
        return owned("""
                SELECT organization_id AS organization, id FROM data_lake
                WHERE writing_key IS NOT NULL AND writing_since < :before ORDER BY writing_since LIMIT :limit""", before, limit);
    }

    private List<DataLakeKey> owned(String sql, Instant before, int limit) {
        return database.with(handle -> handle.createQuery(sql)
                .bind("before", before)
                .bind("limit", limit)
                .mapTo(DataLakeKey.class)
                .list());
    }

    private static StoredDataLake read(RowView row) {
        BlobKey key = row.getColumn("blob_key", BlobKey.class);
        return new StoredDataLake(
                new DataLake(
                        row.getColumn("id", DataLakeId.class),
                        row.getColumn("name", String.class),
                        row.getColumn("format", DataLake.Format.class),
                        row.getColumn("status", DataLake.DataLakeStatus.class),
                        row.getColumn("rows", Long.class),
                        columns(row.getColumn("columns", String.class)),
                        row.getColumn("s3_uri", String.class),
                        row.getColumn("s3_objects", Integer.class),
                        row.getColumn("read_at", Instant.class),
                        row.getColumn("sheet", String.class),
                        List.of(StrictJson.readTrusted(row.getColumn("notes", String.class), String[].class)),
                        row.getColumn("created_by", String.class),
                        row.getColumn("created_at", Instant.class)),
                key == null
                        ? null
                        : new StoredBlob(
                                key,
                                new BlobInfo(
                                        row.getColumn("blob_size", Long.class),
                                        row.getColumn("blob_version", String.class))),
                row.getColumn("writing_key", BlobKey.class));
    }

    private static List<DataLake.Column> columns(String json) {
        return List.of(StrictJson.readTrusted(json, DataLake.Column[].class));
    }
}
