package dev.parley.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Where and with what was measured. */
record Machine(String database, boolean quick) {
    String text() {
        return """
                - Date: %s%s
                - Commit: %s
                - Machine: %d cores (%s), %s of memory, Linux %s
                - Service: Quarkus %s, Java %s, flags `%s`
                - Database: %s, embedded, fsync and synchronous_commit on, same machine
                - Load: wrk %s with one thread, %s, same machine
                """.formatted(
                        Instant.now().truncatedTo(ChronoUnit.SECONDS),
                        quick ? " (--quick: one short round, not for comparing)" : "",
                        commit(),
                        Runtime.getRuntime().availableProcessors(),
                        line("/proc/cpuinfo", "model name"),
                        memory(),
                        System.getProperty("os.version"),
                        quarkus(),
                        Runtime.version(),
                        System.getenv("BENCH_JAVA_FLAGS").replace('\n', ' '),
                        database,
                        wrk(),
                        PgBench.version());
    }

    static String databaseVersion(DataSource database) {
        try (Connection connection = database.getConnection()) {
            return "PostgreSQL " + connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new BenchException("The database does not tell its version: " + e.getMessage());
        }
    }

    private static String commit() {
        String hash =
                Children.output(new ProcessBuilder("sh", "-c", "git rev-parse --short HEAD 2>/dev/null || echo none"));
        String changes = Children.output(new ProcessBuilder(
                "sh", "-c", "git status --porcelain -- service sandbox reader pom.xml parley 2>/dev/null | head -1"));
        return hash.strip() + (changes.isBlank() ? "" : " with changes");
    }

    private static String memory() {
        long kibibytes = Long.parseLong(line("/proc/meminfo", "MemTotal").replaceAll("\\D", ""));
        return Math.round(kibibytes / 1024.0 / 1024.0) + " GiB";
    }

    private static String quarkus() {
        try (Stream<Path> jars = Files.list(Path.of("service/target/quarkus-app/lib/main"))) {
            return jars.map(jar -> jar.getFileName().toString())
                    .filter(name -> name.startsWith("io.quarkus.quarkus-core-"))
                    .map(name -> name.replaceAll("io.quarkus.quarkus-core-|\\.jar", ""))
                    .findFirst()
                    .orElse("?");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String wrk() {
        // wrk ends with 1 when it only tells its version.
        String said = Children.output(new ProcessBuilder("sh", "-c", "wrk -v 2>&1 | head -1; true"));
        return said.replaceAll("(?s)^wrk (?:debian/)?(\\S+).*", "$1");
    }

    private static String line(String file, String name) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
