package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MigrationsTest {
    @Test
    void anEmptyDatabaseGetsTheSchemaAndASecondStartChangesNothing() {
        try (Database database = TestPostgres.empty()) {
            assertThat(tables(database)).isZero();
            Migrations.run(database.dataSource());
            int tables = tables(database);
            assertThat(tables).isPositive();
            Migrations.run(database.dataSource());
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
