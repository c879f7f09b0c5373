package dev.parley.http.wire;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;

/**
 * Allows only HTTP/1.1 on the service's socket. A client that gets a proxy to forward an upgrade to HTTP/2 could bypass
 * the proxy's rules, for example for {@code /metrics}, and {@link ConnectionGuard}.
 */
@Singleton
public final class Http1Only implements HttpServerOptionsCustomizer {
    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        options.setHttp2ClearTextEnabled(false);
        StrictRequestDecoder.setLimits(options);
    }
}
