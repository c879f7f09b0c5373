package dev.parley.datalake.store;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.http.json.StrictJson;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.core.mapper.PropagateNull;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapper;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code data_lake}. */
@RegisterColumnMapper(DataLakeStore.ColumnsMapper.class)
@RegisterColumnMapper(DataLakeStore.NotesMapper.class)
public interface DataLakeStore {
    String COLUMNS = " id, name, format, status, rows, columns, s3_uri, s3_objects, read_at, sheet, notes, created_by,"
            + " created_at, blob_key, blob_size, blob_version, writing_key AS writing ";

    /** The location of a READY table's Parquet file. */
    @PropagateNull("key")
    record StoredBlob(BlobKey key, long size, String version) {
        public BlobInfo info() {
            return new BlobInfo(size, version);
        }
    }

    /**
     * A table and its location.
     *
     * @param place null while PENDING
     * @param writing the location of its next file, if one is being written
     */
    record StoredDataLake(
            @Nested DataLake lake,
            @Nested("blob") @Nullable StoredBlob place,
            @Nullable BlobKey writing) {}

    /**
     * How a file replaces the table's rows.
     *
     * @param mayBreak whether columns that published workflows read may be missing
     */
    record Replacement(DataLake.Format format, ImportOptions options, boolean mayBreak) {}

    /** The key of a table. */
    record DataLakeKey(OrganizationId organization, DataLakeId id) {}

    /** Reads columns from JSON. */
    final class ColumnsMapper implements ColumnMapper<List<DataLake.Column>> {
        @Override
        public List<DataLake.Column> map(ResultSet row, int column, StatementContext context) throws SQLException {
            return List.of(StrictJson.readTrusted(row.getString(column), DataLake.Column[].class));
        }
    }

    /** Reads notes from JSON. */
    final class NotesMapper implements ColumnMapper<List<String>> {
        @Override
        public List<String> map(ResultSet row, int column, StatementContext context) throws SQLException {
            return List.of(StrictJson.readTrusted(row.getString(column), String[].class));
        }
    }

    @SqlQuery("""
            INSERT INTO data_lake (organization_id, id, name, format, status, s3_uri, created_by, created_at)
            VALUES (:organization, :id, :name, lower(:format), 'PENDING', :uri, :by, :now)
            RETURNING""" + COLUMNS)
    DataLake insert(
            OrganizationId organization,
            DataLakeId id,
            String name,
            DataLake.Format format,
            @Nullable String uri,
            String by,
            Instant now);

    @SqlQuery(
            "UPDATE data_lake SET name = :name WHERE organization_id = :organization AND id = :id RETURNING" + COLUMNS)
    Optional<DataLake> rename(OrganizationId organization, DataLakeId id, String name);

    /**
     * Records that a table's file is being written to this key; false if another one is being written. A write that
     * began before the given time counts as abandoned.
     */
    @SqlUpdate("""
            UPDATE data_lake SET writing_key = :key.text, writing_since = :now
            WHERE organization_id = :organization AND id = :id AND (writing_key IS NULL OR writing_since < :before)""")
    boolean begin(
            OrganizationId organization, DataLakeId id, @BindMethods("key") BlobKey key, Instant now, Instant before);

    /** Makes the written file the table; false if the table was deleted or the write abandoned. */
    @SqlUpdate("""
            UPDATE data_lake SET status = 'READY', format = :to.format.text, sheet = :to.options.sheet,
                rows = :made.rows, columns = :made.columns, notes = :made.notes, blob_key = :key.text,
                blob_size = :made.info.size, blob_version = :made.info.version, writing_key = NULL,
                writing_since = NULL, s3_objects = CASE WHEN s3_uri IS NOT NULL THEN :made.files END,
                read_at = CASE WHEN s3_uri IS NOT NULL OR status = 'READY' THEN :now::timestamptz END
            WHERE organization_id = :organization AND id = :id AND writing_key = :key.text""")
    boolean finish(
            OrganizationId organization,
            DataLakeId id,
            @BindMethods("key") BlobKey key,
            @BindMethods("to") Replacement to,
            @BindMethods("made") LakeImport.ImportedTable made,
            Instant now);

    @SqlUpdate("""
            UPDATE data_lake SET writing_key = NULL, writing_since = NULL
            WHERE organization_id = :organization AND id = :id AND writing_key = :key.text""")
    void abandonWrite(OrganizationId organization, DataLakeId id, @BindMethods("key") BlobKey key);

    @SqlQuery("SELECT" + COLUMNS + "FROM data_lake WHERE organization_id = :organization AND id = :id")
    Optional<StoredDataLake> find(OrganizationId organization, DataLakeId id);

    @SqlQuery("SELECT" + COLUMNS + "FROM data_lake WHERE organization_id = :organization AND id = :id FOR UPDATE")
    Optional<StoredDataLake> lock(OrganizationId organization, DataLakeId id);

    /** Newest first. */
    @SqlQuery("SELECT" + COLUMNS + """
            FROM data_lake WHERE organization_id = :organization AND (:after::uuid IS NULL OR id < :after::uuid)
            ORDER BY id DESC LIMIT :limit""")
    List<DataLake> list(OrganizationId organization, Optional<DataLakeId> after, int limit);

    @SqlUpdate("DELETE FROM data_lake WHERE organization_id = :organization AND id = :id")
    void delete(OrganizationId organization, DataLakeId id);

    /** Tables whose file was never uploaded. */
    @SqlQuery("""
            SELECT organization_id AS organization, id FROM data_lake
            WHERE status = 'PENDING' AND created_at < :before ORDER BY created_at LIMIT :limit""")
    List<DataLakeKey> abandoned(Instant before, int limit);

    /** Tables of organizations deleted before then. */
    @SqlQuery("""
            SELECT l.organization_id AS organization, l.id
            FROM organization o JOIN data_lake l ON l.organization_id = o.id
            WHERE o.deleted_at IS NOT NULL AND o.deleted_at < :before LIMIT :limit""")
    List<DataLakeKey> ofDeletedOrganizations(Instant before, int limit);

    /** Writes that began before then and never finished. */
    @SqlQuery("""
            SELECT organization_id AS organization, id FROM data_lake
            WHERE writing_key IS NOT NULL AND writing_since < :before ORDER BY writing_since LIMIT :limit""")
    List<DataLakeKey> abandonedWrites(Instant before, int limit);
}
