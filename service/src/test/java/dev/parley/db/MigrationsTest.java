package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.Tenant;
import dev.parley.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationsTest {
    @Test
    void anEmptyDatabaseGetsTheSchemaAndASecondStartChangesNothing() {
        try (Database database = TestPostgres.empty()) {
            assertThat(tables(database)).isZero();
            Migrations.run(database, "the database");
            int tables = tables(database);
            assertThat(tables).isPositive();
            Migrations.run(database, "the database");
            assertThat(tables(database)).isEqualTo(tables);
        }
    }

    @Test
    void aDatabaseOfADevelopmentVersionIsRefusedAndLeftAsItIs(@TempDir Path earlier) throws IOException {
        Files.writeString(earlier.resolve("V001__node.sql"), "CREATE TABLE node (id uuid PRIMARY KEY);");
        Files.writeString(earlier.resolve("V037__replaced_tickets.sql"), "CREATE TABLE ticket (id uuid PRIMARY KEY);");
        try (Database database = TestPostgres.empty()) {
            Flyway.configure()
                    .dataSource(database.dataSource())
                    .locations("filesystem:" + earlier)
                    .load()
                    .migrate();
            int tables = tables(database);

            assertThatThrownBy(() -> Migrations.run(database, "the directory /data/postgres"))
                    .isInstanceOf(SettingsException.class)
                    .hasMessage("This database was created by a development version of Parley, before the baseline of"
                            + " its schema, and cannot be upgraded; delete the directory /data/postgres and start with"
                            + " an empty database.");
            assertThat(tables(database)).isEqualTo(tables);
        }
    }

    @Test
    void thePreviousReleaseRunsOnTheSchemaOfTheNextOneAndOlderOnesAreRefused() {
        try (Database database = TestPostgres.empty()) {
            int own = Migrations.run(database, "the database");
            database.change(handle -> handle.execute("""
                    INSERT INTO flyway_schema_history SELECT installed_rank + 1, '900', 'later', type, 'V900__later.sql',
                        1, installed_by, installed_on, 1, true
                    FROM flyway_schema_history ORDER BY installed_rank DESC LIMIT 1
                    """));
            note(database, own);
            assertThat(Migrations.run(database, "the database")).isEqualTo(own);

            note(database, own + 1);
            assertThatThrownBy(() -> Migrations.run(database, "the database"))
                    .isInstanceOf(SettingsException.class)
                    .hasMessage("The database has schema 900 of a later release, which only that release and the one"
                            + " before it can use; this one has schema " + own + ". Start one of those, or restore the"
                            + " backup from before the upgrade.");
        }
    }

    /** As a later release notes the schema of the release before it. */
    private static void note(Database database, int schema) {
        database.change(handle -> handle.execute(
                "UPDATE shared_value SET value = ? WHERE name = 'oldest_schema'", String.valueOf(schema)));
    }

    @Test
    void aDatabaseIsNotMigratedUnderANodeThatCannotUseIt() {
        try (Database database = TestPostgres.migrated()) {
            database.change(handle -> handle.execute("""
                    INSERT INTO node (id, name, lease_until, version, schema_version)
                    VALUES (gen_random_uuid(), '7@old', now() + interval '1 hour', '0.0.9', ?)
                    """, Migrations.OLDEST_SCHEMA - 1));
            assertThatThrownBy(() -> Migrations.run(database, "the database"))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageStartingWith("Node 7@old still runs Parley 0.0.9, which cannot use the schema");
            database.change(handle -> handle.execute("UPDATE node SET lease_until = '-infinity'"));
            assertThat(Migrations.run(database, "the database")).isGreaterThanOrEqualTo(Migrations.OLDEST_SCHEMA);
        }
    }

    /** A transaction reads tables in the reverse order of the migration's locks, so that one of them must give way. */
    @Test
    @Tag("all")
    void aMigrationIsRepeatedAfterADeadlock() throws Exception {
        try (Database database = TestPostgres.empty();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Migrations.runTo(database, "the database", "28");
            Future<Integer> migrated = database.jdbcTransaction(connection -> {
                var statement = connection.createStatement();
                statement.execute("SELECT FROM workflow_instance");
                Future<Integer> started = threads.submit(() -> Migrations.run(database, "the database"));
                Tenant.eventually(() -> started.isDone() || waits(connection, 0), isReached -> isReached);
                if (started.isDone()) {
                    return started; // Says why it failed.
                }
                statement.execute("SELECT FROM message");
                return started;
            });
            assertThat(migrated.get(2, TimeUnit.MINUTES)).isGreaterThanOrEqualTo(29);
        }
    }

    /** The session that holds Flyway's lock meanwhile is idle in a transaction, which the service's others may not be. */
    @Test
    @Tag("all")
    void aMigrationMayTakeLongerThanOtherTransactionsMayBeIdle() throws Exception {
        try (Database database = TestPostgres.empty();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Migrations.runTo(database, "the database", "28");
            Future<Integer> migrated = database.jdbcTransaction(connection -> {
                connection.createStatement().execute("SELECT FROM workflow_instance");
                Future<Integer> started = threads.submit(() -> Migrations.run(database, "the database"));
                Tenant.eventually(() -> started.isDone() || waits(connection, 7), isReached -> isReached);
                assertThat(exists(connection, """
                        SELECT FROM pg_stat_activity
                        WHERE datname = current_database() AND state = 'idle in transaction'
                        """))
                        .as("the session with the lock")
                        .isTrue();
                return started;
            });
            assertThat(migrated.get(2, TimeUnit.MINUTES)).isGreaterThanOrEqualTo(29);
        }
    }

    private static boolean waits(Connection connection, int seconds) {
        return exists(connection, """
                SELECT FROM pg_locks WHERE relation = 'workflow_instance'::regclass AND NOT granted
                AND clock_timestamp() >= waitstart + interval '%d seconds'
                """.formatted(seconds));
    }

    private static boolean exists(Connection connection, String query) {
        try (var rows = connection.createStatement().executeQuery(query)) {
            return rows.next();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int tables(Database database) {
        return database.with(handle -> handle.createQuery(
                        "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'")
                .mapTo(Integer.class)
                .one());
    }
}
