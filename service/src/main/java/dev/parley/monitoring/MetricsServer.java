package dev.parley.monitoring;

import dev.parley.http.wire.Http1Only;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The port of {@code PARLEY_METRICS_PORT}: passes the metrics and the health checks, and no other path, to the routes of
 * the service. Quarkus' management interface has to be chosen when the service is built.
 */
@Singleton
public final class MetricsServer {
    /** Compared with the path as it was sent, so that no other one can be written like them. */
    private static final Set<String> PATHS =
            Set.of(MetricsExporter.PATH, "/health", "/health/live", "/health/ready", "/health/version");

    private static final int IDLE_MINUTES = 2;

    private final Vertx vertx;
    private final Settings.Monitoring settings;
    private volatile @Nullable Router router;

    public MetricsServer(Vertx vertx, Settings.Monitoring settings) {
        this.vertx = vertx;
        this.settings = settings;
    }

    void register(@Observes Router routes) {
        router = routes;
    }

    void start(@Observes StartupEvent event) {
        if (settings.port().isEmpty()) {
            return;
        }
        int port = settings.port().getAsInt();
        var options = new HttpServerOptions()
                .setHost(settings.host())
                .setPort(port)
                .setIdleTimeout(IDLE_MINUTES)
                .setIdleTimeoutUnit(TimeUnit.MINUTES);
        new Http1Only().customizeHttpServer(options);
        try {
            vertx.createHttpServer(options)
                    .requestHandler(this::handle)
                    .listen()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException _) {
            throw new SettingsException(
                    Setting.PARLEY_METRICS_PORT,
                    "names " + port + " on " + settings.host()
                            + ", where the service cannot listen: another program has the port, or it is not allowed.");
        }
    }

    private void handle(HttpServerRequest request) {
        Router routes = router;
        if (routes == null) {
            request.response().setStatusCode(503).end();
        } else if (PATHS.contains(request.path())) {
            routes.handle(request);
        } else {
            request.response().setStatusCode(404).end();
        }
    }
}
