package dev.parley.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.blob.local.FileStore;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.TestPostgres;
import dev.parley.disk.FileTrees;
import dev.parley.disk.TempFiles;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreIdentityTest {
    private final Database database = TestPostgres.migrated();

    @TempDir
    private Path home;

    private MasterKey masterKey;

    @BeforeEach
    void createSecret() {
        masterKey = new MasterKey(storage(), database);
    }

    private Settings.Storage storage() {
        return Settings.of(Map.of(Setting.PARLEY_DATA, home.toString())).storage();
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** What a node does at startup. */
    private void start(String directory) {
        new StoreIdentity(store(directory), database, new TempFiles(storage())).recognize();
    }

    private FileStore store(String directory) {
        return new FileStore(home.resolve(directory), masterKey.hasher("test"));
    }

    private static void assertRefused(Runnable start, String message) {
        assertThatThrownBy(start::run)
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("PARLEY_FILES leads to a store ")
                .hasMessageContaining(message);
    }

    @Test
    void onlyTheStoreOfTheFirstStartIsAccepted() throws Exception {
        start("one");
        start("one");
        assertRefused(() -> start("two"), "parley-store-id does not exist. Use the store of the other nodes");
        Path id = Path.of(store("one").locate(StoreIdentity.KEY));
        Path other = Path.of(store("two").locate(StoreIdentity.KEY));
        Files.createDirectories(other.getParent());
        Files.writeString(other, "0123456789abcdef0123456789abcdef\n");
        assertRefused(
                () -> start("two"),
                "contains 0123456789abcdef0123456789abcdef instead of "
                        + Files.readString(id).strip());
        Files.writeString(other, "");
        assertRefused(() -> start("two"), "contains  instead of ");
    }

    @Test
    void onStandbyTheStoreIsComparedAndNothingIsWritten() {
        standBy("one");
        assertThat(home.resolve("one")).doesNotExist();
        start("one");
        standBy("one");
        assertRefused(() -> standBy("two"), "parley-store-id does not exist. Use the store of the other nodes");
        assertThat(home.resolve("two")).doesNotExist();
    }

    private void standBy(String directory) {
        store(directory).checkReading();
        new StoreIdentity(store(directory), database, new TempFiles(storage())).compare();
    }

    @Test
    void aLostStoreIsRefusedUntilItsIdIsWritten() throws Exception {
        start("one");
        Path file = Path.of(store("one").locate(StoreIdentity.KEY));
        String id = Files.readString(file);
        FileTrees.delete(home.resolve("one"));
        assertRefused(() -> start("one"), "write " + id.strip() + " into that file");
        Files.createDirectories(file.getParent());
        Files.writeString(file, id);
        assertThatCode(() -> start("one")).doesNotThrowAnyException();
    }

    @Test
    void aDatabaseWithFilesAcceptsNoFreshStore() throws Exception {
        UUID organization = UUID.randomUUID();
        UUID upload = UUID.randomUUID();
        database.change(handle -> {
            handle.execute("INSERT INTO organization (id, name, created_at) VALUES (?, 'A', now())", organization);
            handle.execute(
                    "INSERT INTO upload (organization_id, id, folder, filename, original_name, content_type, state,"
                            + " created_by, created_at) VALUES (?, ?, 'pdf', 'a b.pdf', 'a b.pdf', 'application/pdf',"
                            + " 'STORED', 'test', now())",
                    organization,
                    upload);
        });
        assertRefused(() -> start("one"), "without the files of this database");
        var key = new BlobKey(text(organization) + "/pdf/" + text(upload) + "/a b.pdf");
        store("two").put(key, "application/pdf", Files.writeString(home.resolve("source"), "x"));
        start("two");
        assertRefused(() -> start("one"), "does not exist");
    }

    private static String text(UUID id) {
        return id.toString().replace("-", "");
    }

    @Test
    void nodesThatStartTogetherAgree() {
        assertThat(IntStream.range(0, 4)
                        .mapToObj(_ -> CompletableFuture.runAsync(() -> start("shared")))
                        .toList())
                .allSatisfy(start -> assertThatCode(start::join).doesNotThrowAnyException());
    }

    @Test
    void ofNodesWithDifferentStoresThatStartTogetherOneRuns() {
        var starts = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.runAsync(() -> start("own-" + i)))
                .toList();
        assertThat(starts.stream()
                        .filter(start ->
                                start.handle((_, failure) -> failure == null).join())
                        .count())
                .isEqualTo(1);
    }
}
