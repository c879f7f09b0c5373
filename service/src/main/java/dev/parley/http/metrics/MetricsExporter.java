package dev.parley.http.metrics;

import dev.parley.http.filter.ReadOnlyAddress;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.prometheus.client.exporter.common.TextFormat;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code /metrics} without authentication. Rendering takes milliseconds of an event loop, so a rendering is
 * reused for {@link #REUSE_FACTOR} times as long as it took; whatever the number of clients, rendering takes at most a
 * fifth of the time. Quarkus' own handler renders for each request.
 */
@Singleton
@SuppressWarnings("deprecation") // Quarkus still uses the old Prometheus client.
public final class MetricsExporter {
    private static final int AFTER_FILTERS = -10;
    private static final int REUSE_FACTOR = 4;

    private final PrometheusMeterRegistry registry;
    private final Map<String, CachedRendering> renderings = new ConcurrentHashMap<>();

    private record CachedRendering(ByteBuf text, long usableUntil) {}

    public MetricsExporter(PrometheusMeterRegistry registry) {
        this.registry = registry;
    }

    void register(@Observes Router router) {
        router.route("/metrics").order(AFTER_FILTERS).handler(this::handle);
    }

    private void handle(RoutingContext request) {
        if (!ReadOnlyAddress.isRead(request)) {
            return;
        }
        String type = contentType(request.request().getHeader(HttpHeaders.ACCEPT));
        ByteBuf text = rendering(type).text;
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(text.readableBytes()))
                .end(Buffer.buffer(text.duplicate()));
    }

    private static String contentType(@Nullable String accept) {
        boolean text = accept != null && (accept.contains("text/plain") || accept.contains("text/html"));
        return text ? TextFormat.CONTENT_TYPE_004 : TextFormat.CONTENT_TYPE_OPENMETRICS_100;
    }

    private CachedRendering rendering(String type) {
        CachedRendering last = renderings.get(type);
        long begin = System.nanoTime();
        if (last != null && begin - last.usableUntil < 0) {
            return last;
        }
        byte[] text = registry.scrape(type).getBytes(StandardCharsets.UTF_8);
        long took = System.nanoTime() - begin;
        var next = new CachedRendering(Unpooled.wrappedBuffer(text).asReadOnly(), begin + took + REUSE_FACTOR * took);
        renderings.put(type, next);
        return next;
    }
}
