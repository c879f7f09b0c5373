package dev.parley.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class SupportBundleTest {
    private static final Map<Setting, String> SECRETS = Map.of(
            Setting.PARLEY_LLM_API_KEY, "sk-of-the-operator",
            Setting.PARLEY_SMTP_PASSWORD, "password-of-smtp",
            Setting.PARLEY_OIDC_CLIENT_SECRET, "secret-of-oidc",
            Setting.PARLEY_ADMIN_PASSWORD, "password-of-admin",
            Setting.PARLEY_BACKUP_PASSPHRASE, "passphrase-of-backups",
            Setting.PARLEY_MCP_STDIO_COMMANDS, "files=/bin/server --token hidden-token",
            Setting.PARLEY_RESTATE_INGRESS_URL, "http://user:hidden-in-url@127.0.0.1/?token=hidden-in-query");

    @TempDir
    private Path home;

    @AfterEach
    void unset() {
        SECRETS.keySet().forEach(setting -> System.clearProperty(setting.name()));
    }

    private static SupportBundle.BundleSettings service() {
        Settings settings = Settings.load();
        var listener =
                new Settings.Listener("0.0.0.0", URI.create(new Api().base()).getPort(), "", Duration.ZERO);
        return new SupportBundle.BundleSettings(
                settings.database(), settings.storage(), listener, settings.monitoring());
    }

    private static Map<String, String> entries(Path file) throws IOException {
        Map<String, String> entries = new TreeMap<>();
        try (var zip = new ZipFile(file.toFile())) {
            for (var entry : zip.stream().toList()) {
                entries.put(
                        entry.getName(), new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return entries;
    }

    @Test
    void hasNumbersOfEachPartAndNoSecret() throws Exception {
        Tenant tenant = Tenant.create();
        tenant.browser()
                .post("/dashboard/api/organizations/" + tenant.organization().text() + "/model-providers")
                .json(Map.of(
                        "name",
                        "own",
                        "kind",
                        "openai",
                        "base_url",
                        "https://llm.example/v1",
                        "credential",
                        "sk-own-key"))
                .send()
                .expect(201);
        tenant.send(tenant.conversation(), "a text of a customer").expect(200);
        SECRETS.forEach((setting, value) -> System.setProperty(setting.name(), value));

        Path file = home.resolve("bundle.zip");
        List<String> lines = SupportBundle.write(file, "1.2.3", Settings.show(), SupportBundleTest::service);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Map<String, String> entries = entries(file);
        assertThat(entries)
                .containsKeys("contents.txt", "database/tables.txt", "database/nodes.txt", "database/server.txt");
        assertThat(entries.get("versions.txt")).contains("parley 1.2.3", "java ");
        assertThat(entries.get("settings.txt")).contains("PARLEY_SECRET=(set)", "PARLEY_DATA=", "PARLEY_DEMO=true");
        assertThat(entries.get("health.json")).contains("\"name\": \"database\"");
        assertThat(entries.get("metrics.txt")).contains("parley_database_connections");
        assertThat(entries.get("database/queues.txt")).contains("webhook queues that are due");
        assertThat(entries.get("database/activity.txt")).contains("state=");
        assertThat(entries.get("contents.txt")).contains("database/slow-statements.txt (", "logs/postgres.log (");
        assertThat(lines).anyMatch(line -> line.startsWith("Not collected: database/slow-statements.txt"));

        List<String> secrets = new ArrayList<>(SECRETS.values());
        secrets.addAll(List.of(
                "hidden-token",
                "hidden-in-url",
                "hidden-in-query",
                "sk-own-key",
                tenant.key(),
                "a text of a customer",
                System.getProperty(Setting.PARLEY_SECRET.name()),
                System.getProperty(Setting.PARLEY_DB_PASSWORD.name()),
                System.getProperty(Setting.PARLEY_S3_SECRET_KEY.name())));
        assertThat(entries).allSatisfy((_, text) -> assertThat(text).doesNotContain(secrets));
    }

    @Test
    void saysWhatItCannotCollect() throws Exception {
        Path file = home.resolve("bundle.zip");
        List<String> lines = SupportBundle.write(file, "1.2.3", Settings.show(), () -> {
            throw new SettingsException(Setting.PARLEY_PORT, "must be a number.");
        });
        assertThat(entries(file)).containsKeys("versions.txt", "settings.txt", "contents.txt");
        assertThat(lines)
                .contains("Not collected: health.json (PARLEY_PORT must be a number.)")
                .contains("Not collected: database (PARLEY_PORT must be a number.)");
    }

    @Test
    void everySettingWithASecretIsKnownAsOne() {
        assertThat(Arrays.stream(Setting.values())
                        .filter(setting -> setting.name().matches(".*(PASSWORD|PASSPHRASE|SECRET|_KEY|TOKEN$).*"))
                        // A public key
                        .filter(setting -> setting != Setting.PARLEY_RESTATE_IDENTITY_KEY))
                .allMatch(Setting::isSecret);
    }
}
