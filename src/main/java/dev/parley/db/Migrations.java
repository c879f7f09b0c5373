package dev.parley.db;

import dev.parley.settings.SettingsException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Migrates the schema to this version, from an empty database or an older version. */
public final class Migrations {
    private Migrations() {}

    /**
     * Runs the missing migrations, after checking the server's version. Nodes that start concurrently wait on Flyway's
     * lock.
     */
    public static void run(DataSource dataSource) {
        ServerVersion.require(dataSource);
        try {
            Flyway.configure()
                    .dataSource(dataSource)
                    .locations("classpath:db/migration")
                    .validateMigrationNaming(true)
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            String reason = String.valueOf(e.getMessage())
                    .lines()
                    .findFirst()
                    .orElse("")
                    .strip();
            throw new SettingsException("The database's schema cannot be migrated to this version: " + reason);
        }
    }
}
