package dev.parley.document.child;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
 * Tables by DuckDB, which is held to the files that it was given, to a little memory, and to no network, before it sees
 * the first byte of them.
 */
final class Lake {
    private static final int LONGEST_REASON = 300;
    private static final int MAX_ROWS = 50_000_000;
    private static final int MAX_CHARACTERS = Integer.MAX_VALUE;

    private Lake() {}

    /** Makes a Parquet file of a table, and writes what it has: {@code {"rows": …, "columns": […]}}. */
    static void convert(Path file, String format, Path parquet, int megabytes, Writer out)
            throws IOException, Reader.Refused {
        Path table = file;
        if (format.equals("xlsx")) {
            table = file.resolveSibling(file.getFileName() + ".csv");
            try (Writer csv = Files.newBufferedWriter(table)) {
                Sheets.write(file, MAX_ROWS, MAX_CHARACTERS, false, csv);
            }
        }
        String read =
                switch (format) {
                    case "csv", "xlsx" -> "read_csv(" + literal(table) + ", header = true, sample_size = 200000)";
                    case "jsonl" ->
                        "read_json(" + literal(table)
                                + ", format = 'newline_delimited', sample_size = 200000, maximum_object_size = 4194304)";
                    case "parquet" -> "read_parquet(" + literal(table) + ")";
                    default -> throw new Reader.Refused("There is no such format.");
                };
        try (Connection lake = open(megabytes, List.of(table, parquet));
                Statement statement = lake.createStatement()) {
            statement.execute("COPY (SELECT * FROM " + read + ") TO " + literal(parquet)
                    + " (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480, USE_TMP_FILE false)");
            out.write(description(statement, parquet));
        } catch (SQLException e) {
            throw refused(e, file, parquet);
        } finally {
            if (!table.equals(file)) {
                Files.deleteIfExists(table);
            }
        }
    }

    private static String description(Statement statement, Path parquet) throws SQLException {
        String rows;
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM read_parquet(" + literal(parquet) + ")")) {
            row.next();
            rows = row.getString(1);
        }
        List<String> columns = new ArrayList<>();
        try (ResultSet row = statement.executeQuery(
                "SELECT to_json({'name': column_name, 'type': column_type}) FROM (DESCRIBE SELECT * FROM read_parquet("
                        + literal(parquet) + "))")) {
            while (row.next()) {
                columns.add(row.getString(1));
            }
        }
        return "{\"rows\": " + rows + ", \"columns\": [" + String.join(", ", columns) + "]}";
    }

    /**
     * Runs a query that the service put together over the view {@code lake}, and writes each row's one column, a line
     * for each. Query and parameters come as texts, each after its length in bytes.
     */
    static void rows(Path parquet, int megabytes, int maxBytes, InputStream in, Writer out)
            throws IOException, Reader.Refused {
        List<String> texts = new ArrayList<>();
        var given = new DataInputStream(in);
        for (int left = given.readInt(); left > 0; left--) {
            texts.add(new String(given.readNBytes(given.readInt()), StandardCharsets.UTF_8));
        }
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
                        throw new Reader.Refused("The rows have more than " + maxBytes
                                + " bytes: fewer columns, a filter or a limit make them less.");
                    }
                    out.write(row);
                    out.write('\n');
                }
            }
        } catch (SQLException e) {
            throw refused(e, parquet, parquet);
        }
    }

    private static Connection open(int megabytes, List<Path> files, String... first) throws SQLException {
        Connection lake = DriverManager.getConnection("jdbc:duckdb:");
        try (Statement statement = lake.createStatement()) {
            statement.execute("SET memory_limit = '" + megabytes + "MB'");
            statement.execute("SET threads = 2");
            statement.execute("SET temp_directory = ''");
            statement.execute("SET autoinstall_known_extensions = false");
            statement.execute("SET autoload_known_extensions = false");
            statement.execute("SET allowed_paths = ["
                    + String.join(", ", files.stream().map(Lake::literal).toList()) + "]");
            statement.execute("SET enable_external_access = false");
            statement.execute("SET lock_configuration = true");
            for (String sql : first) {
                statement.execute(sql);
            }
        }
        return lake;
    }

    private static String literal(Path file) {
        return "'" + file.toString().replace("'", "''") + "'";
    }

    /** The engine's first sentence, without paths. */
    private static Reader.Refused refused(SQLException e, Path one, Path other) {
        String reason =
                String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
        if (reason.contains("Out of Memory")) {
            return new Reader.Refused("It needs more memory than a table may take.", e);
        }
        String shown = reason.replace(one.toString(), "the file")
                .replace(other.toString(), "the file")
                .replaceAll("(?<!\\w)[\"']?/[^ \"']*[\"']?", "the file");
        String bare = shown.replaceAll("^(java\\.sql\\.SQLException: )?[A-Z][A-Za-z- ]{2,30} Error: ", "");
        return new Reader.Refused(
                "It cannot be read: " + (bare.length() > LONGEST_REASON ? bare.substring(0, LONGEST_REASON) : bare), e);
    }
}
