package dev.parley;

import dev.parley.blob.s3.TestS3;
import dev.parley.db.TestPostgres;
import dev.parley.disk.FileTrees;
import dev.parley.engine.restate.TestRestate;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Provides a {@code @QuarkusTest} with a fresh database and the settings of {@code ./parley start}. */
public final class ServiceResource implements QuarkusTestResourceLifecycleManager {
    /** Below the ephemeral ports, so that it is free when a test needs it. */
    public static final int LAKE_PORT = 20_000 + (int) (ProcessHandle.current().pid() % 10_000);

    private final Map<String, String> set = new HashMap<>();

    @Override
    public Map<String, String> start() {
        set.putAll(TestPostgres.freshDatabase());
        set.put(Setting.PARLEY_SECRET.name(), "a secret of the tests, which is long enough");
        set.put(Setting.PARLEY_DEMO.name(), "true");
        set.put(Setting.PARLEY_DATA.name(), data());
        set.put(Setting.PARLEY_CODER_MEMORY.name(), "160");
        set.put(Setting.PARLEY_EGRESS_ALLOW.name(), "127.0.0.0/8,::1,localhost");
        set.put(Setting.PARLEY_LOG_REQUESTS.name(), "errors");
        settingsOfLakes();
        settingsOfEngine();
        set.forEach(System::setProperty);
        return Map.of("quarkus.http.test-port", "0");
    }

    /** {@code -Dparley.test.engine=restate} runs the tests of instances on a Restate server. */
    private void settingsOfEngine() {
        if ("restate".equals(System.getProperty("parley.test.engine"))) {
            TestRestate server = TestRestate.start();
            set.put(Setting.PARLEY_ENGINE.name(), "restate");
            set.put(Setting.PARLEY_RESTATE_INGRESS_URL.name(), server.ingress().toString());
            set.put(Setting.PARLEY_RESTATE_ADMIN_URL.name(), server.admin().toString());
            set.put(Setting.PARLEY_RESTATE_ENDPOINT_PORT.name(), String.valueOf(FreePort.next()));
            set.put(Setting.PARLEY_RESTATE_IDENTITY_KEY.name(), server.identityKey());
        }
    }

    /** Media stay on the disk; data lakes may be read from an S3 server, which a test starts itself. */
    private void settingsOfLakes() {
        Settings.S3 s3 = TestS3.settings(LAKE_PORT);
        set.put(Setting.PARLEY_S3_ENDPOINT.name(), s3.endpoint().orElseThrow().toString());
        set.put(Setting.PARLEY_S3_PATH_STYLE.name(), "true");
        set.put(Setting.PARLEY_S3_ACCESS_KEY.name(), s3.accessKey().orElseThrow());
        set.put(Setting.PARLEY_S3_SECRET_KEY.name(), s3.secretKey());
        set.put(
                Setting.PARLEY_DATA_LAKE_S3.name(),
                "*=s3://" + TestS3.LAKES + "/shared/, *=s3://parley-test-missing/, "
                        + "00000000000070008000000000000001=s3://" + TestS3.LAKES + "/private/");
    }

    /**
     * A data directory of this run; only the sandbox's prepared files, which take long to create, are shared by all
     * runs.
     */
    private static String data() {
        Path data = Path.of("target", "test-data-" + ProcessHandle.current().pid());
        Path coder = data.resolve("coder");
        try {
            deleteOfEarlierRuns();
            Files.createDirectories(data);
            Path shared = Files.createDirectories(Path.of("target", "test-coder", "coder"));
            if (!Files.exists(coder)) {
                Files.createSymbolicLink(coder, shared.toAbsolutePath());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return data.toString();
    }

    private static void deleteOfEarlierRuns() throws IOException {
        try (DirectoryStream<Path> runs = Files.newDirectoryStream(Path.of("target"), "test-data-*")) {
            for (Path run : runs) {
                String pid = run.getFileName().toString().substring("test-data-".length());
                if (ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    FileTrees.delete(run);
                }
            }
        }
    }

    @Override
    public void stop() {
        set.keySet().forEach(System::clearProperty);
    }
}
