package dev.parley.reader.table;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads tables with DuckDB, which is restricted to the given files, to little memory, and to no network, before it
 * reads their first byte.
 */
public final class DuckDbTables {
    private DuckDbTables() {}

    /**
     * Runs a query built by the service over the view {@code lake}, and writes each row's only column as a line. Query
     * and parameters arrive as texts.
     */
    public static void rows(Path parquet, int megabytes, int maxBytes, InputStream in, Writer out) throws IOException {
        List<String> texts = texts(in);
        long written = 0;
        try (Connection lake = open(
                        megabytes,
                        List.of(parquet),
                        "CREATE VIEW lake AS SELECT * FROM read_parquet(" + literal(parquet) + ")");
                PreparedStatement query = lake.prepareStatement(texts.getFirst())) {
            for (int i = 1; i < texts.size(); i++) {
                query.setString(i, texts.get(i));
            }
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    String row = rows.getString(1);
                    written += row.length() + 1L;
                    if (written > maxBytes) {
                        throw new UnreadableDocument("The rows have more than " + maxBytes
                                + " bytes. Select fewer columns, or add a filter or a limit.");
                    }
                    out.write(row);
                    out.write('\n');
                }
            }
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    /** Texts from the service, each preceded by its length in bytes. */
    public static List<String> texts(InputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        var input = new DataInputStream(in);
        for (int left = input.readInt(); left > 0; left--) {
            texts.add(new String(input.readNBytes(input.readInt()), StandardCharsets.UTF_8));
        }
        return texts;
    }

    static Connection open(int megabytes, List<Path> files, String... first) throws SQLException {
        Connection lake = DriverManager.getConnection("jdbc:duckdb:");
        try (Statement statement = lake.createStatement()) {
            statement.execute("SET memory_limit = '" + megabytes + "MB'");
            statement.execute("SET threads = 2");
            statement.execute("SET temp_directory = ''");
            statement.execute("SET TimeZone = 'UTC'");
            statement.execute("SET autoinstall_known_extensions = false");
            statement.execute("SET autoload_known_extensions = false");
            statement.execute("SET allowed_paths = ["
                    + String.join(
                            ", ", files.stream().map(DuckDbTables::literal).toList()) + "]");
            statement.execute("SET enable_external_access = false");
            statement.execute("SET lock_configuration = true");
            for (String sql : first) {
                statement.execute(sql);
            }
        }
        return lake;
    }

    static String literal(Path file) {
        return "'" + file.toString().replace("'", "''") + "'";
    }

    static UnreadableDocument refused(SQLException e) {
        return new UnreadableDocument(EngineErrors.detail(String.valueOf(e.getMessage())), e);
    }
}
