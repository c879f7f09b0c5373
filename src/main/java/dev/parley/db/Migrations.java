package dev.parley.db;

import dev.parley.settings.SettingsException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Brings the schema to this version: on an empty database, and on one that an older version left. */
public final class Migrations {
    private Migrations() {}

    /** Runs what is missing, on a server that can be relied on. Nodes that start together wait for each other on Flyway's lock. */
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
            throw new SettingsException("The database's schema cannot be brought to this version: " + reason);
        }
    }
}
