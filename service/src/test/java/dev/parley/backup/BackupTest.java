package dev.parley.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.backup.BackupCommand.BackupSettings;
import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.db.embedded.InstallationDatabase;
import dev.parley.http.json.StrictJson;
import dev.parley.media.TestFiles;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import dev.parley.workflow.instance.PublishedWorkflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Backups of the running service, and copies of it. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class BackupTest {
    private static final String PASSPHRASE = "a passphrase of the test";

    /** Locks all tables but those of heartbeats and of the write that each backup tries. */
    private static final String KEEP_ROWS = """
            SET LOCAL idle_in_transaction_session_timeout = 0;
            SET LOCAL lock_timeout = '5min';
            SET LOCAL statement_timeout = '5min';
            DO $$BEGIN EXECUTE (
                SELECT 'LOCK TABLE ' || string_agg(quote_ident(tablename), ', ') || ' IN SHARE MODE'
                FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('node', 'shared_value')
            ); END$$
            """;

    @TempDir
    private Path home;

    private Settings.ExternalDatabase database = external(Settings.load());

    private static Settings.ExternalDatabase external(Settings settings) {
        return settings.database().external().orElseThrow();
    }

    private static BackupSettings of(Settings settings) {
        return new BackupSettings(
                settings.database(),
                settings.storage(),
                settings.files(),
                settings.backup(),
                settings.size().postgres());
    }

    /** The running service, with or without a passphrase for its backups. */
    private static BackupSettings service(String passphrase) {
        BackupSettings own = of(Settings.load());
        return new BackupSettings(own.database(), own.storage(), own.files(), backup(passphrase), own.postgres());
    }

    private static Settings.Backup backup(String passphrase) {
        return new Settings.Backup(Optional.of(passphrase).filter(text -> !text.isEmpty()));
    }

    /** An installation without data. */
    private BackupSettings empty(String passphrase, Map<Setting, String> more) {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        TestPostgres.freshDatabase().forEach((name, value) -> values.put(Setting.valueOf(name), value));
        values.put(Setting.PARLEY_DATA, home.resolve("copy").toString());
        values.putAll(more);
        Settings settings = Settings.of(values);
        database = external(settings);
        BackupSettings own = of(settings);
        return new BackupSettings(own.database(), own.storage(), own.files(), backup(passphrase), own.postgres());
    }

    private static Tenant filled() {
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        for (String text : List.of("one", "tab\tand \\ and \n lines", "\u00e4\u20ac\ud83d\ude00 \\N")) {
            tenant.send(conversation, text).expect(200);
        }
        TestFiles.sent(tenant, "picture \u00e4.png", "image/png", TestFiles.PNG);
        TestFiles.sent(tenant, "report.pdf", "application/pdf", TestFiles.PDF);
        tenant.browser()
                .post("/dashboard/api/organizations/" + tenant.organization().text() + "/webhook-endpoints")
                .json(Map.of("url", "https://hooks.example/parley", "event_types", List.of("message.created")))
                .send()
                .expect(201);
        tenant.post(
                        "/workflows/" + PublishedWorkflows.asking(tenant).text() + "/trigger/sync?wait_seconds=20",
                        Map.of("human_msg", "please"))
                .expect(200);
        return tenant;
    }

    private Map<String, String> tables() throws SQLException {
        return DatabaseContent.tables(database.jdbcUrl(), database.user(), database.password());
    }

    private Path written(String passphrase) {
        Path file = home.resolve("parley.backup");
        BackupCommand.run(service(passphrase), "test", file);
        return file;
    }

    /** The rows and files of the service, and a backup of them. */
    private record Original(Map<String, String> tables, Map<String, String> files, Path backup) {}

    @ParameterizedTest
    @ValueSource(strings = {"", PASSPHRASE})
    void aCopyHasEveryRowAndEveryFile(String passphrase) throws Exception {
        filled();
        Path store = service("").files().directory();
        Original original = Tenant.bean(Database.class).jdbcTransaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(KEEP_ROWS);
            }
            return new Original(tables(), DatabaseContent.files(store), written(passphrase));
        });
        Map<String, String> tables = original.tables();
        Path file = original.backup();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        if (!passphrase.isEmpty()) {
            assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).startsWith("parley-backup-1\n");
        }

        BackupSettings copy = empty(passphrase, Map.of());
        assertThat(RestoreCommand.run(copy, file, false)).anyMatch(line -> line.contains("standby"));
        assertThat(tables()).isEqualTo(tables);
        assertThat(DatabaseContent.files(copy.files().directory()))
                .isEqualTo(original.files())
                .hasSizeGreaterThan(2);
        assertThat(copy.storage().directory().resolve("secret"))
                .hasContent(Settings.load().storage().secret().orElseThrow());

        assertThatThrownBy(() -> RestoreCommand.run(copy, file, false))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("files already");
        assertThat(tables()).isEqualTo(tables);
    }

    @Test
    void aDatabaseWithRowsIsRefusedAndKept() throws Exception {
        Path file = written("");
        BackupSettings copy = empty("", Map.of());
        RestoreCommand.run(copy, file, true);
        Map<String, String> tables = tables();
        Settings.Files elsewhere = Settings.of(
                        Map.of(Setting.PARLEY_FILES, home.resolve("other").toString()))
                .files();
        BackupSettings again =
                new BackupSettings(copy.database(), copy.storage(), elsewhere, copy.backup(), copy.postgres());
        assertThatThrownBy(() -> RestoreCommand.run(again, file, true))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("The database is not empty");
        assertThat(tables()).isEqualTo(tables);
        assertThat(regularFiles(home.resolve("other"))).isEmpty();
    }

    @Test
    void aCopyIsOnStandbyUntilItIsActivated() {
        Path file = written("");
        BackupSettings copy = empty("", Map.of());
        RestoreCommand.run(copy, file, false);
        try (var connected = InstallationDatabase.connect(database, 1)) {
            assertThat(RestoredCopy.isMarked(connected)).isTrue();
            assertThat(RestoredCopy.activate(connected)).isTrue();
            assertThat(RestoredCopy.activate(connected)).isFalse();
            assertThat(RestoredCopy.isMarked(connected)).isFalse();
        }
        assertThat(RestoredCopy.isMarked(Tenant.bean(Database.class))).isFalse();
    }

    @Test
    void anotherMasterKeyIsRefused() {
        Path file = written("");
        assertRefused(empty("", Map.of(Setting.PARLEY_SECRET, "x".repeat(40))), file, "is not the master key");
    }

    /** {@link SealedStreamTest} does it for encrypted ones, whose key takes long to derive. */
    @Test
    @Tag("all")
    void aFlippedBitIsFoundAnywhere() throws Exception {
        filled();
        byte[] whole = Files.readAllBytes(written(""));
        BackupSettings copy = empty("", Map.of());
        // Positions at both ends, where the headers are, and in all parts between.
        for (int i = 0; i < 400; i++) {
            int at = i % 4 == 0 ? i / 4 : i % 4 == 1 ? whole.length - 1 - i / 4 : (int) ((long) whole.length * i / 400);
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            assertRefused(copy, file("damaged", damaged), "");
        }
        RestoreCommand.run(copy, file("whole", whole), false);
    }

    @Test
    @Tag("all")
    void aTruncatedOrContinuedFileIsFound() throws Exception {
        byte[] whole = Files.readAllBytes(written(""));
        BackupSettings copy = empty("", Map.of());
        for (int length : new int[] {0, 40, whole.length - 32, whole.length - 1}) {
            assertRefused(copy, file("truncated", Arrays.copyOf(whole, length)), "");
        }
        assertRefused(copy, file("continued", Arrays.copyOf(whole, whole.length + 1)), "");
    }

    @Test
    @Tag("all")
    void aDamagedEncryptedFileIsRefused() throws Exception {
        byte[] whole = Files.readAllBytes(written(PASSPHRASE));
        assertRefused(empty(PASSPHRASE, Map.of()), file("continued", Arrays.copyOf(whole, whole.length + 1)), "");
    }

    @Test
    void aWrongPassphraseIsNamed() {
        Path file = written(PASSPHRASE);
        assertRefused(empty("another passphrase", Map.of()), file, "The passphrase is wrong");
        assertRefused(empty("", Map.of()), file, "PARLEY_BACKUP_PASSPHRASE is required");
        assertRefused(empty("", Map.of()), home.resolve("missing"), "There is no file");
    }

    /** A complete archive whose rows the database does not accept. */
    @Test
    void aFailedRestoreLeavesNothing() throws Exception {
        Path file = home.resolve("invalid");
        var info = new BackupInfo(BackupInfo.FORMAT, "test", "27", Instant.now(), null);
        try (var out = Files.newOutputStream(file)) {
            BackupArchive.write(out, Optional.empty(), archive -> {
                add(archive, "backup.json", StrictJson.write(info));
                add(archive, "secret", "a master key that is long enough\n");
                add(archive, "files/a/b", "content");
                add(archive, "tables/node/1", "id\tname\tlease_until\tstarted_at\nno uuid\ta\tnow\tnow\n");
            });
        }
        BackupSettings copy = empty("", Map.of());
        assertRefused(copy, file, "invalid input syntax for type uuid");
        assertThat(tables()).allSatisfy((_, digest) -> assertThat(digest).isEqualTo("0 "));
        RestoreCommand.run(copy, written(""), false);
    }

    @Test
    void aBackupOfALaterReleaseIsRefused() throws Exception {
        Path file = home.resolve("later");
        var info = new BackupInfo(BackupInfo.FORMAT, "9.0", "999", Instant.now(), null);
        try (var out = Files.newOutputStream(file)) {
            BackupArchive.write(out, Optional.empty(), archive -> add(archive, "backup.json", StrictJson.write(info)));
        }
        assertThatThrownBy(() -> RestoreCommand.run(empty("", Map.of()), file, false))
                .hasMessageContaining("a later release");
    }

    private static void add(BackupArchive.Writer archive, String name, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        archive.add(name, bytes.length, FileTime.from(Instant.now()), new ByteArrayInputStream(bytes));
    }

    private Path file(String name, byte[] content) throws IOException {
        return Files.write(home.resolve(name), content);
    }

    private void assertRefused(BackupSettings copy, Path file, String sentence) {
        assertThatThrownBy(() -> RestoreCommand.run(copy, file, false))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(sentence)
                .hasMessageEndingWith(".");
        assertThat(regularFiles(copy.storage().directory())).isEmpty();
    }

    /** Of a directory, but for its lock. */
    private static List<Path> regularFiles(Path directory) {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> found = Files.walk(directory)) {
            return found.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("lock"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
