package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MasterKeyTest {
    private static final String SECRET = "0123456789 0123456789 0123456789";

    @TempDir
    Path data;

    @Test
    void aGeneratedSecretIsKeptInAFileThatOnlyItsOwnerReads() throws Exception {
        try (Database database = TestPostgres.migrated()) {
            byte[] key = new MasterKey(settings(Map.of()), database).key("api-key");
            assertThat(new MasterKey(settings(Map.of()), database).key("api-key"))
                    .isEqualTo(key);
            Path file = data.resolve("secret");
            assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            try (var files = Files.list(data)) {
                assertThat(files).containsExactly(file);
            }
        }
    }

    @Test
    void anotherSecretThanTheDatabaseKnowsIsRefused() {
        try (Database database = TestPostgres.migrated()) {
            var unused = new MasterKey(settings(Map.of(Setting.PARLEY_SECRET, SECRET)), database);
            assertThatThrownBy(() -> new MasterKey(settings(Map.of(Setting.PARLEY_SECRET, SECRET + "!")), database))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("PARLEY_SECRET")
                    .hasMessageNotContaining(SECRET);
            assertThatThrownBy(() -> new MasterKey(settings(Map.of()), database))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("PARLEY_SECRET");
            assertThat(data).isEmptyDirectory();
            assertThat(unused.key("api-key"))
                    .isEqualTo(new MasterKey(settings(Map.of(Setting.PARLEY_SECRET, SECRET)), database).key("api-key"));
        }
    }

    @Test
    void everyPurposeHasAKeyOfItsOwn() {
        try (Database database = TestPostgres.migrated()) {
            var secret = new MasterKey(settings(Map.of(Setting.PARLEY_SECRET, SECRET)), database);
            assertThat(secret.key("api-key")).hasSize(32).isNotEqualTo(secret.key("session"));
            assertThat(secret.hasher("session").hash("x"))
                    .isEqualTo(secret.hasher("session").hash("x"))
                    .isNotEqualTo(secret.hasher("api-key").hash("x"));
        }
    }

    private Settings.Storage settings(Map<Setting, String> more) {
        Map<Setting, String> values = new java.util.EnumMap<>(Map.of(Setting.PARLEY_DATA, data.toString()));
        values.putAll(more);
        return Settings.of(values).storage();
    }
}
