package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.TestSize;
import dev.parley.db.embedded.PostgresSupervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** PostgreSQL on a real file system that is full; mounting one needs root. */
@Tag("all")
class FullDiskTest {
    private static final Path DISK = Path.of("target", "full-disk").toAbsolutePath();
    private static final Path BALLAST = DISK.resolve("ballast");

    @BeforeEach
    void mount() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"));
        Files.createDirectories(DISK);
        assertThat(run("mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs", DISK.toString()))
                .isZero();
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", "-l", DISK.toString());
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    @Test
    void writesNameTheCauseAndGoOnWhenThereIsSpace() throws Exception {
        failAndRecover("SELECT 1");
    }

    @Test
    void aLogWithoutSpaceIsNamedAndWritesGoOnWhenThereIs() throws Exception {
        failAndRecover("SELECT pg_switch_wal()");
    }

    private static void failAndRecover(String before) throws Exception {
        try (var postgres = PostgresSupervisor.start(DISK.resolve("postgres"), TestSize.SMALLEST.postgres(), () -> {
                    throw new AssertionError("given up");
                });
                var database = new Database(postgres.jdbcUrl(), postgres.user(), postgres.password(), 4)) {
            Migrations.run(database, "the test database");
            database.change(handle -> handle.execute("CREATE TABLE filled AS SELECT ''::text AS text"));
            assertThat(database.outage()).isEmpty();
            fill();
            assertThatThrownBy(() -> {
                        while (true) {
                            database.with(handle -> handle.execute(before));
                            insert(database);
                        }
                    })
                    .hasMessage("The disk of the database is full right now; nothing was stored.");
            assertThat(database.outage()).contains(SqlFailure.Outage.FULL);
            Files.delete(BALLAST);
            Instant deadline = Instant.now().plusSeconds(180);
            while (!database.outage().equals(Optional.empty())) {
                assertThat(Instant.now()).isBefore(deadline);
                LockSupport.parkNanos(100_000_000);
            }
            insert(database);
        }
    }

    private static void insert(Database database) {
        database.change(handle ->
                handle.execute("INSERT INTO filled SELECT md5(random()::text) FROM generate_series(1, 50000)"));
    }

    private static void fill() throws IOException {
        byte[] block = new byte[1 << 16];
        try (var file = Files.newOutputStream(BALLAST)) {
            while (true) {
                file.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }
}
