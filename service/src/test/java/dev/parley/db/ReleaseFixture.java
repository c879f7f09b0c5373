package dev.parley.db;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * The database of a release with rows in every table: lines {@code NAME=VALUE}, an empty line, and each table as
 * {@code COPY} text. Its schema is that of the migrations up to the release's last one, which never change; the history
 * of migrations is one of the tables, with their checksums.
 *
 * @param values the release, its schema, the secret, and credentials and ids to read with
 */
public record ReleaseFixture(Map<String, String> values, List<CopiedTable> tables) {
    private static final Path DIRECTORY = Path.of("src/test/resources/releases");
    private static final String SUFFIX = ".sql.gz";
    private static final String END = "\\.";
    private static final String HISTORY = "flyway_schema_history";

    /** @param rows as {@code COPY} text, a line each */
    public record CopiedTable(String name, List<String> columns, List<String> rows) {
        private String copy() {
            return "COPY " + name + " (" + String.join(", ", columns) + ")";
        }
    }

    /** The releases so far, oldest first. */
    public static List<ReleaseFixture> all() {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .map(ReleaseFixture::read)
                    .sorted(Comparator.comparingInt(ReleaseFixture::schema))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String release() {
        return value("release");
    }

    /** The version of its last migration. */
    public int schema() {
        return Integer.parseInt(value("schema"));
    }

    public String value(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalStateException("the fixture has no " + name);
        }
        return value;
    }

    /** Creates the schema of the release in an empty database, and inserts its rows. */
    public void load(DataSource source) throws SQLException, IOException {
        Flyway.configure()
                .dataSource(source)
                .locations("classpath:db/migration")
                .target(value("schema"))
                .load()
                .migrate();
        try (Connection connection = source.getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET LOCAL session_replication_role = replica"); // Without checks of foreign keys.
            statement.execute(
                    "TRUNCATE " + tables.stream().map(CopiedTable::name).collect(Collectors.joining(", ")));
            CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
            for (CopiedTable table : tables) {
                String text = table.rows().stream().map(row -> row + "\n").collect(Collectors.joining());
                copy.copyIn(table.copy() + " FROM STDIN", new StringReader(text));
            }
            connection.commit();
        }
    }

    /** The rows of all its tables in a database, with the columns of the release: those of a table as sorted JSON. */
    Map<String, List<String>> rows(Database database) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (CopiedTable table : tables) {
            if (!table.name().equals(HISTORY)) {
                rows.put(table.name(), database.with(handle -> handle.createQuery(
                                "SELECT to_jsonb(r)::text FROM (SELECT "
                                        + String.join(", ", table.columns()) + " FROM " + table.name() + ") r"
                                        + " ORDER BY 1")
                        .mapTo(String.class)
                        .list()));
            }
        }
        return rows;
    }

    /** Reads all rows at one moment. */
    public static ReleaseFixture of(Database database, Map<String, String> values) {
        return database.jdbcTransaction(connection -> {
            try (var statement = connection.createStatement()) {
                statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
                Map<String, String> all = new HashMap<>(values);
                var newest = statement.executeQuery("SELECT max(version::int) FROM " + HISTORY);
                newest.next();
                all.put("schema", newest.getString(1));
                Map<String, List<String>> columns = new LinkedHashMap<>();
                var found = statement.executeQuery("""
                        SELECT t.table_name, c.column_name FROM information_schema.tables t
                        JOIN information_schema.columns c ON c.table_schema = 'public' AND c.table_name = t.table_name
                        WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE'
                        ORDER BY t.table_name, c.ordinal_position
                        """);
                while (found.next()) {
                    columns.computeIfAbsent(found.getString(1), _ -> new ArrayList<>())
                            .add(found.getString(2));
                }
                List<CopiedTable> tables = new ArrayList<>();
                CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
                for (Map.Entry<String, List<String>> table : columns.entrySet()) {
                    var text = new StringWriter();
                    copy.copyOut(
                            "COPY (SELECT * FROM " + table.getKey() + " ORDER BY " + table.getKey()
                                    + "::text) TO STDOUT",
                            text);
                    tables.add(new CopiedTable(
                            table.getKey(),
                            table.getValue(),
                            text.toString().lines().toList()));
                }
                return new ReleaseFixture(Map.copyOf(all), List.copyOf(tables));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    public Path write() throws IOException {
        Path file = Files.createDirectories(DIRECTORY).resolve(release() + SUFFIX);
        try (Writer out =
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
            for (String name : values.keySet().stream().sorted().toList()) {
                out.write(name + "=" + values.get(name) + "\n");
            }
            out.write("\n");
            for (CopiedTable table : tables) {
                out.write(table.copy() + "\n");
                for (String row : table.rows()) {
                    out.write(row + "\n");
                }
                out.write(END + "\n");
            }
        }
        return file;
    }

    private static ReleaseFixture read(Path file) {
        try (var in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            Map<String, String> values = new HashMap<>();
            String line;
            while ((line = in.readLine()) != null && !line.isEmpty()) {
                String[] pair = line.split("=", 2);
                values.put(pair[0], pair[1]);
            }
            List<CopiedTable> tables = new ArrayList<>();
            while ((line = in.readLine()) != null) {
                int open = line.indexOf('(');
                String name = line.substring("COPY ".length(), open - 1);
                List<String> columns =
                        List.of(line.substring(open + 1, line.length() - 1).split(", ", -1));
                List<String> rows = new ArrayList<>();
                while ((line = in.readLine()) != null && !line.equals(END)) {
                    rows.add(line);
                }
                tables.add(new CopiedTable(name, columns, List.copyOf(rows)));
            }
            return new ReleaseFixture(Map.copyOf(values), List.copyOf(tables));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return release();
    }
}
