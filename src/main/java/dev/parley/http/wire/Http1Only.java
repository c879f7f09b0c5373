package dev.parley.http.wire;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;

/**
 * HTTP/1.1 and nothing else on our socket. Whoever talks a proxy into passing an upgrade to HTTP/2 on could hide
 * requests from its rules, such as that {@code /metrics} stays inside; and {@link ConnectionGuard} would not see them.
 */
@Singleton
public final class Http1Only implements HttpServerOptionsCustomizer {
    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        options.setHttp2ClearTextEnabled(false);
        StrictRequestDecoder.setLimits(options);
    }
}
