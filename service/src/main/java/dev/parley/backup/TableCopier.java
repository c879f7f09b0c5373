package dev.parley.backup;

import dev.parley.settings.SettingsException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * The rows of all tables in PostgreSQL's text format, which every version reads. A table is a sequence of entries, because
 * its size is not known before it was read.
 */
final class TableCopier implements AutoCloseable {
    static final String PREFIX = "tables/";

    private static final int CHUNK_BYTES = 4 << 20;

    /** COPY checks the names of the columns. */
    private static final String FORMAT = " (FORMAT text, ENCODING 'UTF8', HEADER ";

    /**
     * Referenced tables come before referencing ones. Transaction ids belong to one server, so these columns get their
     * defaults in the restored database.
     */
    private static final String TABLES = """
            WITH RECURSIVE own AS (
                SELECT oid, relname FROM pg_class
                WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
                  AND relname <> 'flyway_schema_history'
            ), place (oid, level) AS (
                SELECT oid, 0 FROM own
                UNION
                SELECT c.conrelid, p.level + 1 FROM place p JOIN pg_constraint c ON c.confrelid = p.oid
                WHERE c.contype = 'f' AND c.conrelid <> c.confrelid AND p.level < 100
            )
            SELECT quote_ident(relname) AS name, (
                SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
                WHERE attrelid = own.oid AND attnum > 0 AND NOT attisdropped AND atttypid <> 'xid8'::regtype) AS columns
            FROM own JOIN place USING (oid) GROUP BY oid, relname ORDER BY max(level), relname
            """;

    private final Connection connection;
    private final Map<String, String> tables;
    private @Nullable CopyIn open;
    private String openTable = "";

    TableCopier(Connection connection) throws SQLException {
        this.connection = connection;
        this.tables = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(TABLES)) {
            while (rows.next()) {
                tables.put(rows.getString("name"), rows.getString("columns"));
            }
        }
    }

    /** Throws if a table has rows. */
    void requireEmpty() throws SQLException {
        for (String table : tables.keySet()) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT FROM " + table + " LIMIT 1")) {
                if (rows.next()) {
                    throw new SettingsException("The database is not empty, its table " + table
                            + " has rows: restore into a new database.");
                }
            }
        }
    }

    void copyTo(BackupArchive.Writer archive, FileTime time) throws SQLException, IOException {
        for (Map.Entry<String, String> table : tables.entrySet()) {
            try (OutputStream rows = entries(archive, PREFIX + table.getKey() + "/", time)) {
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyOut(
                                "COPY " + table.getKey() + " (" + table.getValue() + ") TO STDOUT" + FORMAT + "true)",
                                rows);
            }
        }
    }

    /** Collects the rows of one table in entries. */
    private static OutputStream entries(BackupArchive.Writer archive, String prefix, FileTime time) {
        return new BufferedOutputStream(
                new SealedStream.BlockOutput() {
                    private int number;

                    @Override
                    public void write(byte[] bytes, int from, int count) throws IOException {
                        number++;
                        archive.add(prefix + number, count, time, new ByteArrayInputStream(bytes, from, count));
                    }
                },
                CHUNK_BYTES);
    }

    /** Adds an entry of a table, after all entries of the tables before it. */
    void copyFrom(String entry, InputStream rows) throws SQLException, IOException {
        String table = entry.substring(PREFIX.length(), entry.lastIndexOf('/'));
        if (!table.equals(openTable)) {
            end();
            String columns = tables.get(table);
            if (columns == null) {
                throw new SettingsException("The backup has a table that its schema does not have: " + table + ".");
            }
            open = connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY " + table + " (" + columns + ") FROM STDIN" + FORMAT + "match)");
            openTable = table;
        }
        byte[] buffer = new byte[64 * 1024];
        for (int count = rows.read(buffer); count >= 0; count = rows.read(buffer)) {
            Objects.requireNonNull(open).writeToCopy(buffer, 0, count);
        }
    }

    /** Ends the last table. */
    void end() throws SQLException {
        if (open != null) {
            open.endCopy();
            open = null;
        }
    }

    /** Cancels a table that was not ended: no other statement can run before. */
    @Override
    public void close() throws SQLException {
        if (open != null && open.isActive()) {
            open.cancelCopy();
        }
    }
}
