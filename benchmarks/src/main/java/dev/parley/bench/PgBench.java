package dev.parley.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** The reference: pgbench inserts the row of a message into a table like the messages', one row to a commit. */
final class PgBench {
    private static final int CONNECTIONS = 64;
    private static final Pattern RATE = Pattern.compile("tps = ([\\d.]+)");
    private static final String SCRIPT = """
            \\set conversation random(1, 64)
            \\set number random(1, 1000000000)
            INSERT INTO bench_message (organization_id, conversation_id, id, type, content_type, content, filename, \
            metadata, file, status, workflow_instance_id, ticket_id, created_by, created_at, updated_at) \
            VALUES ('01a1f9f436967000a7d95ec3f7bdddc2', md5(:conversation::text)::uuid, uuidv7(), 'USER_INPUT', 'TEXT', \
            'Message 1790000000-' || :number::text || ': please look at the invoice of last week.', NULL, NULL, NULL, \
            'RECEIVED', NULL, NULL, 'api-key:01a1f9f436967000a7d95ec3f7bdddc2', now(), now());
            """;

    private final Service service;
    private final Path script;

    PgBench(Service service, DataSource database, Path directory) {
        this.service = service;
        this.script = directory.resolve("insert.sql");
        try (Connection connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE bench_message (LIKE message INCLUDING ALL)");
            Files.writeString(script, SCRIPT);
        } catch (SQLException e) {
            throw new BenchException("pgbench's table could not be made: " + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Inserts for so long; rows per second, without the time that connecting takes. */
    double rate(int seconds) {
        var builder = new ProcessBuilder(
                program(),
                "-n",
                "-M",
                "prepared",
                "-c",
                Integer.toString(CONNECTIONS),
                "-j",
                "2",
                "-T",
                Integer.toString(seconds),
                "-f",
                script.toString(),
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(service.databasePort()),
                "-U",
                "parley",
                "postgres");
        builder.environment().put("PGPASSWORD", service.databasePassword());
        String output = Children.output(builder);
        Matcher rate = RATE.matcher(output);
        if (!rate.find() || !output.contains("failed transactions: 0 ")) {
            throw new BenchException("pgbench failed:\n" + output);
        }
        return Double.parseDouble(rate.group(1));
    }

    static String version() {
        return Children.output(new ProcessBuilder(program(), "--version")).strip();
    }

    private static String program() {
        try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
            return versions.map(version -> version.resolve("bin/pgbench"))
                    .filter(Files::isExecutable)
                    .max(Comparator.comparing(Path::toString))
                    .map(Path::toString)
                    .orElse("pgbench");
        } catch (IOException e) {
            return "pgbench";
        }
    }
}
