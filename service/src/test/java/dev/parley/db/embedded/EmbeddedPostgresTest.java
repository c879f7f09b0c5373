package dev.parley.db.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A killed server, and data that belong to a different user than the service's. */
class EmbeddedPostgresTest {
    private static final String COUNT = "SELECT count(*) FROM kept";

    @TempDir
    private Path directory;

    @Test
    void committedDataSurvivesAKillAndAChangeOfUser() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, TestSize.SMALLEST.postgres());
        try {
            assertThat(query(postgres, "CREATE TABLE kept AS SELECT generate_series(1, 3); " + COUNT))
                    .isEqualTo(3);
            String address = postgres.jdbcUrl();
            postgres = killedAndRestarted(postgres);
            assertThat(postgres.jdbcUrl()).isEqualTo(address);
            assertThat(query(postgres, COUNT)).isEqualTo(3);
            postgres.close();

            assumeTrue(Files.getAttribute(directory, "unix:uid").equals(0), "not root");
            assertThat(new ProcessBuilder(
                                    "chown",
                                    "-R",
                                    "65534:65534",
                                    directory.resolve("cluster").toString())
                            .start()
                            .waitFor())
                    .isZero();
            postgres = EmbeddedPostgres.start(directory, TestSize.SMALLEST.postgres());
            postgres = killedAndRestarted(postgres);
            assertThat(query(postgres, COUNT)).isEqualTo(3);
        } finally {
            postgres.close();
        }
    }

    /** With a connection whose process is busy and holds the shared memory of the killed server for long. */
    private EmbeddedPostgres killedAndRestarted(EmbeddedPostgres postgres) throws Exception {
        String busy = "DO $$ BEGIN FOR i IN 1..2000000000 LOOP END LOOP; END $$";
        try (var connection = DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            Thread query = Thread.ofVirtual().start(() -> {
                try {
                    statement.execute(busy);
                } catch (SQLException _) {
                    // Expected: the connection is lost.
                }
            });
            while (query(postgres, "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO%'")
                    == 0) {
                Thread.onSpinWait();
            }
            ProcessHandle.of(server()).orElseThrow().destroyForcibly();
            postgres.awaitExit();
            EmbeddedPostgres restarted = postgres.restart();
            query.join();
            return restarted;
        }
    }

    private long server() throws IOException {
        return Long.parseLong(Files.readAllLines(directory.resolve("cluster/postmaster.pid"))
                .getFirst()
                .strip());
    }

    private static long query(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            for (boolean rows = statement.execute(sql); !rows; rows = statement.getMoreResults()) {
                // Only the last statement returns one.
            }
            var rows = statement.getResultSet();
            rows.next();
            return rows.getLong(1);
        }
    }
}
