package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationsTest {
    @Test
    void anEmptyDatabaseGetsTheSchemaAndASecondStartChangesNothing() {
        try (Database database = TestPostgres.empty()) {
            assertThat(tables(database)).isZero();
            Migrations.run(database.dataSource(), "the database");
            int tables = tables(database);
            assertThat(tables).isPositive();
            Migrations.run(database.dataSource(), "the database");
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

            assertThatThrownBy(() -> Migrations.run(database.dataSource(), "the directory /data/postgres"))
                    .isInstanceOf(SettingsException.class)
                    .hasMessage("This database was created by a development version of Parley, before the baseline of"
                            + " its schema, and cannot be upgraded; delete the directory /data/postgres and start with"
                            + " an empty database.");
            assertThat(tables(database)).isEqualTo(tables);
        }
    }

    private static int tables(Database database) {
        return database.with(handle -> handle.createQuery(
                        "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'")
                .mapTo(Integer.class)
                .one());
    }
}
