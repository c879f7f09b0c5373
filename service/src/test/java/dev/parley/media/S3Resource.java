package dev.parley.media;

import dev.parley.blob.s3.TestS3;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Starts an S3 server and configures the service for it. */
public final class S3Resource implements QuarkusTestResourceLifecycleManager {
    private static volatile TestS3 server;
    private final Map<String, String> set = new HashMap<>();

    @Override
    public Map<String, String> start() {
        try {
            server = TestS3.start();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        Settings.S3 s3 = server.settings();
        set.put(Setting.PARLEY_S3_ENDPOINT.name(), s3.endpoint().orElseThrow().toString());
        set.put(Setting.PARLEY_S3_BUCKET.name(), server.bucket());
        set.put(Setting.PARLEY_S3_PATH_STYLE.name(), "true");
        set.put(Setting.PARLEY_S3_ACCESS_KEY.name(), s3.accessKey().orElseThrow());
        set.put(Setting.PARLEY_S3_SECRET_KEY.name(), s3.secretKey());
        set.forEach(System::setProperty);
        return Map.of();
    }

    /** After {@link dev.parley.ServiceResource}, whose S3 settings are for data lakes only. */
    @Override
    public int order() {
        return 1;
    }

    /** Stops the server. */
    static void goAway() {
        try {
            server.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void stop() {
        set.keySet().forEach(System::clearProperty);
        goAway();
    }
}
