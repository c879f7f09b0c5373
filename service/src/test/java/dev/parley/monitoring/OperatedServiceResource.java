package dev.parley.monitoring;

import dev.parley.FreePort;
import dev.parley.ServiceResource;
import dev.parley.blob.s3.TestS3;
import dev.parley.settings.Setting;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** The service with a port and a token for metrics, and with its files in a bucket. */
public final class OperatedServiceResource implements QuarkusTestResourceLifecycleManager {
    static final String TOKEN = "token-of-the-tests";

    private final ServiceResource service = new ServiceResource();
    private TestS3 server;

    @Override
    public Map<String, String> start() {
        Map<String, String> config = service.start();
        int port = FreePort.next();
        try {
            server = TestS3.start(port);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        System.setProperty(Setting.PARLEY_METRICS_PORT.name(), String.valueOf(FreePort.next()));
        System.setProperty(Setting.PARLEY_METRICS_HOST.name(), "127.0.0.1");
        System.setProperty(Setting.PARLEY_METRICS_TOKEN.name(), TOKEN);
        System.setProperty(Setting.PARLEY_S3_ENDPOINT.name(), "http://127.0.0.1:" + port);
        System.setProperty(Setting.PARLEY_S3_BUCKET.name(), server.bucket());
        return config;
    }

    /** Gives the test the store, to close it. */
    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(server, new TestInjector.MatchesType(AutoCloseable.class));
    }

    @Override
    public void stop() {
        System.clearProperty(Setting.PARLEY_METRICS_PORT.name());
        System.clearProperty(Setting.PARLEY_METRICS_HOST.name());
        System.clearProperty(Setting.PARLEY_METRICS_TOKEN.name());
        System.clearProperty(Setting.PARLEY_S3_BUCKET.name());
        service.stop();
        try {
            server.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
