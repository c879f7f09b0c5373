package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Databases of all releases become those of this version, and keep their rows. */
class ReleaseUpgradeTest {
    /** Columns and constraints, indexes, triggers, functions and types, however they came about. */
    private static final String CATALOGUE = """
            SELECT concat_ws(' ', table_name, column_name, data_type, udt_name, is_nullable, column_default)
            FROM information_schema.columns WHERE table_schema = 'public'
            UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
            FROM pg_constraint WHERE connamespace = 'public'::regnamespace
            UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
            UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT tgisinternal
            UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
            ORDER BY 1
            """;

    static Stream<ReleaseFixture> releases() {
        return ReleaseFixture.all().stream();
    }

    @ParameterizedTest
    @MethodSource("releases")
    void everyRowSurvivesTheUpgrade(ReleaseFixture release) throws Exception {
        try (Database database = TestPostgres.empty();
                Database empty = TestPostgres.migrated()) {
            release.load(database.dataSource());
            var before = rows(release, database);
            assertThat(before.values()).noneMatch(List::isEmpty);

            Migrations.run(database, "the database");

            assertThat(rows(release, database)).isEqualTo(before);
            assertThat(catalogue(database)).isEqualTo(catalogue(empty));
        }
    }

    /** By table, without the note of the oldest schema, which every release writes anew. */
    private static Map<String, List<String>> rows(ReleaseFixture release, Database database) {
        Map<String, List<String>> rows = new TreeMap<>(release.rows(database));
        rows.computeIfPresent("shared_value", (_, values) -> values.stream()
                .filter(row -> !row.contains("oldest_schema"))
                .toList());
        return rows;
    }

    @Test
    void theFirstReleaseHasAFixture() {
        assertThat(releases().map(ReleaseFixture::release)).contains("0.1.0");
    }

    private static List<String> catalogue(Database database) {
        return database.with(
                handle -> handle.createQuery(CATALOGUE).mapTo(String.class).list());
    }
}
