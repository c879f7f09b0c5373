package dev.parley.backup;

import dev.parley.blob.local.FileStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;

/** What an installation holds, to compare it with its restored copy. */
public final class DatabaseContent {
    /** Heartbeats, and ids of transactions, which belong to one server. The mark of a restored copy is not compared. */
    private static final String DIGEST = """
            SELECT count(*) || ' ' || coalesce(md5(string_agg(row, '|' ORDER BY row COLLATE "C")), '') FROM (
                SELECT ((to_jsonb(t) - 'lease_until') - 'changed')::text AS row FROM <table> t
            ) r WHERE row NOT LIKE '%"restored_copy"%'
            """;

    private DatabaseContent() {}

    /** The number of rows and their digest by table, of all tables but the list of migrations. */
    public static Map<String, String> tables(String jdbcUrl, String user, String password) throws SQLException {
        try (Connection connection = DriverManager.getConnection(jdbcUrl, user, password);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("SET timezone = 'UTC'");
            List<String> names = new ArrayList<>();
            try (ResultSet rows =
                    statement.executeQuery("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")) {
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
            }
            Map<String, String> digests = new TreeMap<>();
            for (String name : names) {
                if (!name.equals("flyway_schema_history")) {
                    try (ResultSet rows = statement.executeQuery(DIGEST.replace("<table>", name))) {
                        rows.next();
                        digests.put(name, rows.getString(1));
                    }
                }
            }
            return digests;
        }
    }

    /** The digest and the time of each complete file of a store by its path. */
    public static Map<String, String> files(Path store) {
        Path root = FileStore.completeFiles(store);
        Map<String, String> digests = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                digests.put(
                        root.relativize(file).toString(),
                        DigestUtils.sha256Hex(Files.readAllBytes(file)) + " "
                                + Files.getLastModifiedTime(file).to(TimeUnit.MICROSECONDS));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return digests;
    }
}
