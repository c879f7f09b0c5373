package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of two neighbouring releases run on one schema: a release expands it, and a later one contracts it. */
class MigrationRulesTest {
    private static final Path MIGRATIONS = Path.of("src/main/resources/db/migration");

    /**
     * Migrations that contract, by file name, with the release in which each may: the one after the first release that
     * does not use any more what it removes.
     */
    private static final Map<String, String> CONTRACTIONS = Map.of();

    /** The migrations by version. */
    private static NavigableMap<Integer, Path> migrations() {
        try (Stream<Path> files = Files.list(MIGRATIONS)) {
            var all = new TreeMap<Integer, Path>();
            files.forEach(file ->
                    all.put(Integer.parseInt(file.getFileName().toString().replaceFirst("^V(\\d+)__.*", "$1")), file));
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int previous() {
        return Migrations.OLDEST_SCHEMA;
    }

    private static Set<String> existing() {
        return MigrationRules.created(
                migrations().headMap(previous(), true).values().stream().map(MigrationRulesTest::read));
    }

    @Test
    void migrationsOfThisReleaseOnlyExpandTheSchemaOfThePreviousOne() throws IOException {
        String version =
                Files.readString(Path.of("../pom.xml")).replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
        assertThat(migrations().tailMap(previous(), false).values()).allSatisfy(file -> {
            String name = file.getFileName().toString();
            if (CONTRACTIONS.containsKey(name)) {
                assertThat(version).as(name).isEqualTo(CONTRACTIONS.get(name));
            } else {
                assertThat(MigrationRules.violations(read(file), existing()))
                        .as(name)
                        .isEmpty();
            }
        });
    }

    @Test
    void theNextReleaseOfUpgradeTestsOnlyExpands() throws IOException {
        Path next = Path.of("src/test/resources/releases/next/db/migration/V900__next_release.sql");
        Set<String> present =
                MigrationRules.created(migrations().values().stream().map(MigrationRulesTest::read));
        assertThat(MigrationRules.violations(Files.readString(next), present)).isEmpty();
    }

    /** A release that is being prepared may have its fixture already. */
    @Test
    void thePreviousReleaseIsThatOfAFixture() {
        assertThat(ReleaseFixture.all().reversed().stream().limit(2).map(ReleaseFixture::schema))
                .contains(previous());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP TABLE message",
                "ALTER TABLE message DROP COLUMN file",
                "ALTER TABLE message RENAME COLUMN file TO files",
                "ALTER TABLE message RENAME TO messages",
                "ALTER TABLE message ADD COLUMN a text, ADD COLUMN b text NOT NULL",
                "ALTER TABLE message ADD b text NOT NULL",
                "ALTER TABLE message ALTER COLUMN file SET NOT NULL",
                "ALTER TABLE message ALTER file TYPE jsonb USING file::jsonb",
                "ALTER TABLE message ALTER COLUMN file SET DATA TYPE varchar",
                "ALTER TABLE message ADD CONSTRAINT named CHECK (file <> '')",
                "ALTER TABLE message ADD FOREIGN KEY (ticket_id) REFERENCES ticket (id)",
                "CREATE UNIQUE INDEX message_file ON message (file)",
                "CREATE TRIGGER t BEFORE INSERT ON message FOR EACH ROW EXECUTE FUNCTION f()",
                "-- a comment; with a semicolon\nALTER TYPE instance_change DROP ATTRIBUTE delta",
                "TRUNCATE message",
                "DELETE FROM message WHERE file IS NULL",
                "DROP VIEW workflow_instance_change"
            })
    void contractionsAreFound(String sql) {
        assertThat(MigrationRules.violations(sql + ";", existing())).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE message ADD COLUMN a text, ADD COLUMN b integer NOT NULL DEFAULT 0",
                "ALTER TABLE message ADD COLUMN b text DEFAULT 'not null; rename' NOT NULL",
                "ALTER TABLE message ALTER COLUMN file DROP NOT NULL",
                "ALTER TABLE message DROP CONSTRAINT message_status_check",
                "CREATE INDEX message_file ON message (file)",
                "DROP INDEX message_file",
                "ALTER TABLE message DROP CONSTRAINT a, ADD CONSTRAINT a CHECK (status <> '') NOT VALID",
                "UPDATE message SET file = NULL WHERE file = 'DROP TABLE x'",
                "CREATE TABLE fresh (id uuid PRIMARY KEY, a text NOT NULL CHECK (a <> ''), UNIQUE (a));"
                        + "ALTER TABLE fresh ADD CHECK (a <> 'b'); CREATE UNIQUE INDEX a ON fresh (a)"
            })
    void expansionsPass(String sql) {
        assertThat(MigrationRules.violations(sql + ";", existing())).isEmpty();
    }

    @Test
    void contractionsNameMigrationsOfThisRelease() {
        List<String> names = migrations().tailMap(previous(), false).values().stream()
                .map(file -> file.getFileName().toString())
                .toList();
        assertThat(names).containsAll(CONTRACTIONS.keySet());
    }
}
