package dev.parley.db;

import dev.parley.settings.SettingsException;
import java.util.Arrays;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.exception.FlywayValidateException;

/** Brings the schema to this version, on an empty database or on one of an earlier release. */
public final class Migrations {
    private Migrations() {}

    /**
     * Runs the missing migrations. Nodes that start together wait for each other on Flyway's lock.
     *
     * @param location the database as an operator knows it, without secrets: named if it must be deleted
     */
    public static void run(DataSource dataSource, String location) {
        run(dataSource, location, MigrationVersion.LATEST);
    }

    /**
     * Creates the schema of a backup in an empty database; its next start upgrades it.
     *
     * @param version of the last migration
     */
    public static void runTo(DataSource dataSource, String location, String version) {
        MigrationVersion target = MigrationVersion.fromVersion(version);
        if (Arrays.stream(flyway(dataSource, MigrationVersion.LATEST).info().all())
                .noneMatch(known -> target.equals(known.getVersion()))) {
            throw new SettingsException("The backup was made by a later release of Parley, whose schema " + version
                    + " this one does not know: restore it with that release.");
        }
        run(dataSource, location, target);
    }

    private static Flyway flyway(DataSource dataSource, MigrationVersion target) {
        return Flyway.configure()
                .dataSource(dataSource)
                .locations("classpath:db/migration")
                .validateMigrationNaming(true)
                .target(target)
                .load();
    }

    private static void run(DataSource dataSource, String location, MigrationVersion target) {
        ServerVersion.require(dataSource);
        try {
            flyway(dataSource, target).migrate();
        } catch (FlywayValidateException _) {
            // Released migrations never change, so only a development version can have applied others.
            throw new SettingsException("This database was created by a development version of Parley, before the"
                    + " baseline of its schema, and cannot be upgraded; delete " + location
                    + " and start with an empty database.");
        } catch (FlywayException e) {
            String reason = String.valueOf(e.getMessage())
                    .lines()
                    .findFirst()
                    .orElse("")
                    .strip();
            throw new SettingsException("The database's schema cannot be brought to this version: " + reason);
        }
    }
}
