package dev.parley.db;

import dev.parley.settings.SettingsException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jboss.logging.Logger;

/**
 * Brings the schema to this version, on an empty database or on one of an earlier release. Nodes of the previous release
 * can use the new schema, older ones cannot (docs/decisions/0205).
 */
public final class Migrations {
    /** The last migration of the previous release; of the first release, its own. */
    public static final int OLDEST_SCHEMA = 29;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Logger LOG = Logger.getLogger(Migrations.class);

    private Migrations() {}

    /**
     * Runs the missing migrations. Nodes that start together wait for each other on Flyway's lock.
     *
     * @param location the database as an operator knows it, without secrets: named if it must be deleted
     * @return the number of the last migration of this release
     */
    public static int run(Database database, String location) {
        ServerVersion.require(database.dataSource());
        try (Database unlimited = database.unlimited();
                Connection connection = unlimited.dataSource().getConnection()) {
            Flyway flyway = flyway(unlimited, MigrationVersion.LATEST);
            int own = versions(flyway)
                    .mapToInt(version -> Integer.parseInt(version.getVersion()))
                    .max()
                    .orElseThrow();
            requireNoOlderNode(connection);
            migrate(flyway, location);
            requireUsable(connection, own);
            return own;
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    /**
     * Creates the schema of a backup in an empty database; its next start upgrades it.
     *
     * @param version of the last migration
     */
    public static void runTo(Database database, String location, String version) {
        ServerVersion.require(database.dataSource());
        MigrationVersion target = MigrationVersion.fromVersion(version);
        try (Database unlimited = database.unlimited()) {
            if (versions(flyway(unlimited, MigrationVersion.LATEST)).noneMatch(target::equals)) {
                throw new SettingsException("The backup was made by a later release of Parley, whose schema " + version
                        + " this one does not know: restore it with that release.");
            }
            migrate(flyway(unlimited, target), location);
        }
    }

    private static Flyway flyway(Database database, MigrationVersion target) {
        return Flyway.configure()
                .dataSource(database.dataSource())
                .locations("classpath:db/migration")
                .validateMigrationNaming(true)
                .target(target)
                .load();
    }

    /** Of the migrations that this release has. */
    private static Stream<MigrationVersion> versions(Flyway flyway) {
        return Stream.of(flyway.info().all())
                .filter(migration -> migration.getState().isResolved())
                .map(MigrationInfo::getVersion);
    }

    /** Repeats a migration that nodes of the previous release, which are at work, have kept from its locks. */
    private static void migrate(Flyway flyway, String location) {
        for (Instant end = Instant.now().plus(PATIENCE); ; ) {
            try {
                migrateOnce(flyway, location);
                return;
            } catch (FlywayException e) {
                boolean isBlocked =
                        SqlFailure.isRetryable(e) || SqlFailure.outage(e).equals(Optional.of(SqlFailure.Outage.SLOW));
                if (!isBlocked || Instant.now().isAfter(end)) {
                    throw new SettingsException(
                            "The database's schema cannot be brought to this version: " + reason(e));
                }
                LOG.infof("The migration is repeated, because the database was in use: %s", reason(e));
            }
        }
    }

    private static void migrateOnce(Flyway flyway, String location) {
        try {
            flyway.migrate();
        } catch (FlywayValidateException _) {
            // Released migrations never change, so only a development version can have applied others.
            throw new SettingsException("This database was created by a development version of Parley, before the"
                    + " baseline of its schema, and cannot be upgraded; delete " + location
                    + " and start with an empty database.");
        }
    }

    /** What Flyway says, and what the database said. */
    private static String reason(FlywayException failure) {
        return Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
                .map(cause -> String.valueOf(cause.getMessage())
                        .lines()
                        .findFirst()
                        .orElse("")
                        .strip())
                .distinct()
                .collect(Collectors.joining(": "));
    }

    /** A node of an older release than the previous one would fail on what this release removes. */
    private static void requireNoOlderNode(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            var table = statement.executeQuery("SELECT to_regclass('node') IS NOT NULL");
            if (!table.next() || !table.getBoolean(1)) {
                return;
            }
            // As JSON, because an older schema lacks columns.
            var older = statement.executeQuery("""
                    SELECT node ->> 'name', node ->> 'version' FROM (SELECT to_jsonb(n) FROM node n) rows (node)
                    WHERE (node ->> 'lease_until')::timestamptz > now() AND (node ->> 'schema_version')::integer < %d
                    """.formatted(OLDEST_SCHEMA));
            if (older.next()) {
                throw new SettingsException("Node " + older.getString(1) + " still runs Parley " + older.getString(2)
                        + ", which cannot use the schema of this release. Stop all nodes first, or upgrade one release"
                        + " after the other.");
            }
        }
    }

    /** Notes the oldest schema whose release may use this one, and refuses if a later release noted a later one. */
    private static void requireUsable(Connection connection, int own) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO shared_value (name, value) VALUES ('oldest_schema', '%d')
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value
                    WHERE shared_value.value::integer < excluded.value::integer
                    """.formatted(OLDEST_SCHEMA));
            var found = statement.executeQuery("""
                    SELECT (SELECT value::integer FROM shared_value WHERE name = 'oldest_schema'),
                        (SELECT max(version::integer) FROM flyway_schema_history)
                    """);
            found.next();
            if (found.getInt(1) > own) {
                throw new SettingsException("The database has schema " + found.getInt(2)
                        + " of a later release, which only that release and the one before it can use; this one has"
                        + " schema " + own + ". Start one of those, or restore the backup from before the upgrade.");
            }
            if (found.getInt(2) > own) {
                LOG.warnf(
                        "The database has schema %d of the next release; this release has schema %d, and may run on"
                                + " it until the upgrade is complete",
                        found.getInt(2), own);
            }
        }
    }
}
