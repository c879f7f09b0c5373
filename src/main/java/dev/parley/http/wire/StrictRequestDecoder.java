package dev.parley.http.wire;

import io.netty.handler.codec.http.HttpMessage;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;

/**
 * Refuses a request that declares its body's length twice, by {@code Content-Length} and by {@code Transfer-Encoding}.
 * Netty would drop the first; a proxy in front may have gone by it, and what it took for the body would be a request.
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder {
    /** Vert.x offers no way to hand them to a connection. */
    private static volatile HttpServerOptions limits = new HttpServerOptions();

    StrictRequestDecoder() {
        super(limits);
    }

    /** The limits of all connections from now on. */
    static void setLimits(HttpServerOptions options) {
        limits = options;
    }

    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("Content-Length beside Transfer-Encoding");
    }
}
