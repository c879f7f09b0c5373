package dev.parley.engine.restate.endpoint;

import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import dev.restate.sdk.endpoint.Endpoint;
import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.restate.sdk.http.vertx.HttpEndpointRequestHandler;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.BindException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;

/** The port on which Restate calls this node's handlers, by HTTP/2 without TLS. Requests must be signed by Restate. */
public final class RestateEndpoint implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(RestateEndpoint.class);

    private final HttpServer server;
    private volatile boolean isDraining;

    public RestateEndpoint(Vertx vertx, Settings.Restate settings, List<ServiceDefinition> services, Clock clock) {
        Endpoint.Builder endpoint = new Endpoint.Builder();
        services.forEach(endpoint::bind);
        HttpEndpointRequestHandler handler = HttpEndpointRequestHandler.fromEndpoint(endpoint.build());
        Optional<RequestSignature> signature = settings.identityKey().map(key -> new RequestSignature(key, clock));
        this.server = vertx.createHttpServer(new HttpServerOptions()
                        .setHost(settings.host())
                        .setPort(settings.port())
                        .setHttp2ClearTextEnabled(true)
                        .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(Integer.MAX_VALUE)))
                .requestHandler(request -> {
                    if (signature.isPresent() && !signature.get().isValid(request)) {
                        refuse(request);
                    } else if (isDraining) {
                        request.response().setStatusCode(503).end();
                    } else {
                        handler.handle(request);
                    }
                });
        try {
            server.listen().toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof BindException
                    ? new SettingsException(
                            Setting.PARLEY_RESTATE_ENDPOINT_PORT,
                            "is " + settings.port() + ", which another process uses.")
                    : e;
        }
    }

    private static void refuse(HttpServerRequest request) {
        LOG.warnf("A request from %s to the engine's endpoint was not signed by Restate", request.remoteAddress());
        request.response().setStatusCode(401).end();
    }

    /** Refuses new calls, which Restate repeats elsewhere or later. */
    public void drain() {
        isDraining = true;
    }

    @Override
    public void close() {
        server.close().toCompletionStage().toCompletableFuture().join();
    }
}
