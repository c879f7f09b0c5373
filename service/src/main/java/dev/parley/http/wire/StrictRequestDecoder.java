package dev.parley.http.wire;

import io.netty.handler.codec.http.HttpMessage;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;

/**
 * Rejects a request with both {@code Content-Length} and {@code Transfer-Encoding}. Netty would ignore the first, but a
 * proxy in front may have used it, which allows request smuggling.
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder {
    /** Vert.x offers no way to pass them to a connection. */
    private static volatile HttpServerOptions limits = new HttpServerOptions();

    StrictRequestDecoder() {
        super(limits);
    }

    /** Sets the limits of all new connections. */
    static void setLimits(HttpServerOptions options) {
        limits = options;
    }

    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("both Content-Length and Transfer-Encoding");
    }
}
