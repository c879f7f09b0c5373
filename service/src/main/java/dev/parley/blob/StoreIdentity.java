package dev.parley.blob;

import dev.parley.db.Database;
import dev.parley.disk.TempFiles;
import dev.parley.settings.SettingsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Recognizes the store of a database by a random id that both keep, so that a node with another store, or with an empty
 * one, does not start (docs/decisions/0050).
 */
public final class StoreIdentity {
    /** The file with the id. It collides with no other key, because those begin with the id of an organization. */
    public static final BlobKey KEY = new BlobKey("parley-store-id");

    private static final String NAME = "file_store_id";
    private static final int ID_BYTES = 16;
    private static final int MAX_LENGTH = 100;

    /** Keys of stored files and tables, of which a store without an id must have one. */
    private static final String SOME_KEYS = """
            (SELECT concat_ws('/', replace(organization_id::text, '-', ''), folder, replace(id::text, '-', ''), filename)
             FROM upload WHERE state = 'STORED' LIMIT 20)
            UNION ALL
            (SELECT blob_key FROM data_lake WHERE blob_key IS NOT NULL AND status = 'READY' LIMIT 20)
            """;

    private final BlobStore store;
    private final Database database;
    private final TempFiles tempFiles;

    public StoreIdentity(BlobStore store, Database database, TempFiles tempFiles) {
        this.store = store;
        this.database = database;
        this.tempFiles = tempFiles;
    }

    /**
     * Compares the ids, or creates them at the first start.
     *
     * @throws SettingsException if the store is not that of the database; says what to do
     */
    public void recognize() {
        compare(database.transaction(this::expected));
    }

    /** The same on standby, without creating an id where the database has none. */
    public void compare() {
        database.with(StoreIdentity::known).ifPresent(this::compare);
    }

    private void compare(String expected) {
        String found = read().orElseThrow(() -> new SettingsException(
                store.setting(),
                "leads to a store that is not this database's, or that has lost its files: " + store.locate(KEY)
                        + " does not exist. Use the store of the other nodes, or restore it. If its files are lost for"
                        + " good, write " + expected + " into that file."));
        if (!found.equals(expected)) {
            throw new SettingsException(
                    store.setting(),
                    "leads to a store that is not this database's: " + store.locate(KEY) + " contains " + found
                            + " instead of " + expected + ". Use the store of the other nodes of this database.");
        }
    }

    /** Nodes that start together wait here for the first one's commit. */
    private String expected(Handle handle) {
        // The first one writes to the store within the transaction.
        Database.allowMinutes(handle);
        String fresh = randomId();
        if (handle.execute("INSERT INTO shared_value (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", NAME, fresh)
                == 1) {
            Optional<String> present = read();
            if (present.isEmpty()) {
                requireSomeFile(handle);
            }
            String id = present.orElseGet(() -> write(fresh));
            handle.execute("UPDATE shared_value SET value = ? WHERE name = ?", id, NAME);
            return id;
        }
        return known(handle).orElseThrow();
    }

    private static Optional<String> known(Handle handle) {
        return handle.select("SELECT value FROM shared_value WHERE name = ?", NAME)
                .mapTo(String.class)
                .findOne();
    }

    /** For a database of an earlier release, which has files but no id. */
    private void requireSomeFile(Handle handle) {
        List<String> keys = handle.select(SOME_KEYS).mapTo(String.class).list();
        if (!keys.isEmpty()
                && keys.stream().noneMatch(key -> store.info(new BlobKey(key)).isPresent())) {
            throw new SettingsException(
                    store.setting(),
                    "leads to a store without the files of this database, such as "
                            + store.locate(new BlobKey(keys.getFirst())) + ". Use the store of the other nodes, or"
                            + " restore it. If these files are lost for good, write an id of your choice into "
                            + store.locate(KEY) + ".");
        }
    }

    private static String randomId() {
        byte[] random = new byte[ID_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private Optional<String> read() {
        return store.info(KEY).map(info -> {
            try (InputStream text = store.open(KEY, info, 0, Math.min(info.size(), MAX_LENGTH))) {
                return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private String write(String id) {
        Path file = null;
        try {
            file = tempFiles.file("store-id");
            Files.writeString(file, id + "\n");
            store.put(KEY, "text/plain", file);
            // Another database may have been first.
            return read().orElse(id);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            TempFiles.delete(file);
        }
    }
}
