package dev.parley.datalake;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.db.Database;
import dev.parley.http.StrictJson;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The table {@code data_lake}. */
@Singleton
public final class DataLakeStore {
    private static final String COLUMNS =
            "id, name, format, status, rows, columns, created_by, created_at, blob_key, blob_size, blob_version";

    private final Database database;
    private final Clock clock;

    public DataLakeStore(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Where a READY table's Parquet file lies. */
    record Place(BlobKey key, BlobInfo info) {}

    /** A table and where it lies; no place while it is PENDING. */
    record Found(DataLake lake, @Nullable Place place) {}

    /** Whose table it is. */
    record Owned(OrganizationId organization, DataLakeId id) {}

    DataLake insert(OrganizationId organization, DataLakeId id, String name, DataLake.Format format, String createdBy) {
        Instant now = clock.instant();
        database.change(handle -> handle.createUpdate("""
                        INSERT INTO data_lake (organization_id, id, name, format, status, created_by, created_at)
                        VALUES (:organization, :id, :name, :format, 'PENDING', :by, :now)""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("name", name)
                .bind("format", format.text())
                .bind("by", createdBy)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .execute());
        return find(organization, id).orElseThrow().lake();
    }

    /** Makes a PENDING table readable; false when it is not PENDING any more. */
    boolean ready(OrganizationId organization, DataLakeId id, long rows, String columns, Place place) {
        return database.transaction(handle -> handle.createUpdate("""
                        UPDATE data_lake SET status = 'READY', rows = :rows, columns = :columns, blob_key = :key,
                            blob_size = :size, blob_version = :version
                        WHERE organization_id = :organization AND id = :id AND status = 'PENDING'""")
                        .bind("organization", organization)
                        .bind("id", id)
                        .bind("rows", rows)
                        .bind("columns", columns)
                        .bind("key", place.key().text())
                        .bind("size", place.info().size())
                        .bind("version", place.info().version())
                        .execute()
                == 1);
    }

    Optional<Found> find(OrganizationId organization, DataLakeId id) {
        return database.with(handle -> handle.createQuery(
                        "SELECT " + COLUMNS + " FROM data_lake WHERE organization_id = :organization AND id = :id")
                .bind("organization", organization)
                .bind("id", id)
                .map((row, _) -> read(row))
                .findOne());
    }

    /** Newest first. */
    List<DataLake> list(OrganizationId organization, Optional<DataLakeId> after, int limit) {
        return database.with(handle -> handle.createQuery("SELECT " + COLUMNS + """
                         FROM data_lake
                        WHERE organization_id = :organization AND (CAST(:after AS uuid) IS NULL OR id < :after)
                        ORDER BY id DESC LIMIT :limit""")
                .bind("organization", organization)
                .bindByType("after", after.map(DataLakeId::value).orElse(null), UUID.class)
                .bind("limit", limit)
                .map((row, _) -> read(row).lake())
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

    /** What was to be uploaded, and never was. */
    List<Owned> abandoned(Instant before, int limit) {
        return owned("""
                SELECT organization_id, id FROM data_lake
                WHERE status = 'PENDING' AND created_at < :before ORDER BY created_at LIMIT :limit""", before, limit);
    }

    /** Tables of organizations that were deleted before then. */
    List<Owned> ofDeletedOrganizations(Instant before, int limit) {
        return owned("""
                SELECT l.organization_id, l.id FROM organization o JOIN data_lake l ON l.organization_id = o.id
                WHERE o.deleted_at IS NOT NULL AND o.deleted_at < :before LIMIT :limit""", before, limit);
    }

    private List<Owned> owned(String sql, Instant before, int limit) {
        return database.with(handle -> handle.createQuery(sql)
                .bind("before", before.atOffset(ZoneOffset.UTC))
                .bind("limit", limit)
                .map((row, _) -> new Owned(
                        new OrganizationId(row.getObject("organization_id", UUID.class)),
                        new DataLakeId(row.getObject("id", UUID.class))))
                .list());
    }

    private static Found read(ResultSet row) throws SQLException {
        DataLake lake = new DataLake(
                new DataLakeId(row.getObject("id", UUID.class)),
                row.getString("name"),
                DataLake.Format.valueOf(row.getString("format").toUpperCase(Locale.ROOT)),
                DataLake.Status.valueOf(row.getString("status")),
                row.getLong("rows"),
                columns(row.getString("columns")),
                row.getString("created_by"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
        String key = row.getString("blob_key");
        return new Found(
                lake,
                key == null
                        ? null
                        : new Place(
                                new BlobKey(key),
                                new BlobInfo(row.getLong("blob_size"), row.getString("blob_version"))));
    }

    private static List<DataLake.Column> columns(String json) {
        try {
            return List.of(StrictJson.mapper().readValue(json, DataLake.Column[].class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
