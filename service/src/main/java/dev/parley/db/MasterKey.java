package dev.parley.db;

import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import org.jdbi.v3.core.Handle;

/**
 * The installation's only secret, from which a separate key for each purpose is derived (HKDF-SHA256). It is a setting,
 * or generated once in the data directory. The database stores its fingerprint: a node with a different secret, which
 * could verify no key and no session, refuses to start.
 */
@Singleton
@Startup
public final class MasterKey {
    /** The file of the data directory with the generated key. */
    public static final String FILE = "secret";

    private static final int KEY_BYTES = 32;
    private static final String FINGERPRINT = "secret_fingerprint";

    private final byte[] material;

    public MasterKey(Settings.Storage storage, Database database) {
        String text = storage.secret().orElseGet(() -> generatedOnce(storage.directory(), database));
        this.material = text.getBytes(StandardCharsets.UTF_8);
        recognize(database);
    }

    /** The text from which all keys are derived, for backups only. */
    public String text() {
        return new String(material, StandardCharsets.UTF_8);
    }

    /** The 32-byte key of one purpose, such as {@code api-key} or {@code webhook}. */
    public byte[] key(String purpose) {
        try {
            var parameters = HKDFParameterSpec.ofExtract()
                    .addIKM(material)
                    .thenExpand(("parley " + purpose).getBytes(StandardCharsets.UTF_8), KEY_BYTES);
            return KDF.getInstance("HKDF-SHA256").deriveData(parameters);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A hasher with the key of one purpose, for values that are only compared. */
    public HmacHasher hasher(String purpose) {
        return new HmacHasher(key(purpose));
    }

    /** A cipher with the key of one purpose, for secrets that must be read again. */
    public AeadCipher cipher(String purpose) {
        return new AeadCipher(key(purpose));
    }

    private void recognize(Database database) {
        String own = HexFormat.of().formatHex(key("fingerprint"));
        String stored = database.transaction(handle -> {
            handle.execute(
                    "INSERT INTO shared_value (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", FINGERPRINT, own);
            return fingerprint(handle).orElseThrow();
        });
        if (!stored.equals(own)) {
            throw otherKey();
        }
    }

    private static Optional<String> fingerprint(Handle handle) {
        return handle.select("SELECT value FROM shared_value WHERE name = ?", FINGERPRINT)
                .mapTo(String.class)
                .findOne();
    }

    private static SettingsException otherKey() {
        return new SettingsException(
                Setting.PARLEY_SECRET,
                "(or the file 'secret' in PARLEY_DATA) is not the secret that this database was set up with.");
    }

    private static String generatedOnce(Path data, Database database) {
        Path file = data.resolve(FILE);
        boolean isKnown = database.with(MasterKey::fingerprint).isPresent();
        try {
            return read(file);
        } catch (NoSuchFileException _) {
            if (isKnown) {
                throw otherKey();
            }
            return generate(data, file);
        } catch (IOException e) {
            throw unusable(file, e);
        }
    }

    /** The complete file appears atomically, and the first process wins, so a killed start leaves no partial secret. */
    private static String generate(Path data, Path file) {
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        try {
            Files.createDirectories(data);
            Path partial = Files.createTempFile(
                    data,
                    "secret",
                    ".new",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try {
                Files.writeString(partial, HexFormat.of().formatHex(random) + "\n");
                Files.createLink(file, partial);
            } catch (FileAlreadyExistsException _) {
                // Another process was first; its secret is read below.
            } finally {
                Files.delete(partial);
            }
            return read(file);
        } catch (IOException e) {
            throw unusable(file, e);
        }
    }

    private static String read(Path file) throws IOException {
        String secret = Files.readString(file).strip();
        if (secret.length() < KEY_BYTES) {
            throw new SettingsException("The file " + file + " does not hold the secret that was made there.");
        }
        return secret;
    }

    private static SettingsException unusable(Path file, IOException e) {
        return new SettingsException(
                Setting.PARLEY_SECRET, "is not set, and " + file + " cannot be used: " + e.getMessage() + ".");
    }
}
