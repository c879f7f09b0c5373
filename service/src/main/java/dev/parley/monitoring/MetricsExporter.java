package dev.parley.monitoring;

import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.filter.ReadOnlyAddress;
import dev.parley.http.filter.RequestFilter;
import dev.parley.settings.Settings;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.prometheus.client.exporter.common.TextFormat;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code /metrics}, with a token if there is one, and on one port only. Rendering takes milliseconds of an event
 * loop, so a rendering is reused for {@link #REUSE_FACTOR} times as long as it took; whatever the number of clients,
 * rendering takes at most a fifth of the time. Quarkus' own handler renders for each request.
 */
@Singleton
@SuppressWarnings("deprecation") // Quarkus still uses the old Prometheus client.
public final class MetricsExporter {
    static final String PATH = "/metrics";

    private static final int AFTER_FILTERS = -10;
    private static final int REUSE_FACTOR = 4;
    private static final String BEARER = "Bearer ";

    private final PrometheusMeterRegistry registry;
    private final BacklogMetrics backlog;
    private final Settings.Monitoring settings;
    private final Vertx vertx;
    private final Map<String, CachedRendering> renderings = new ConcurrentHashMap<>();

    private record CachedRendering(ByteBuf text, long usableUntil) {}

    public MetricsExporter(
            PrometheusMeterRegistry registry, BacklogMetrics backlog, Settings.Monitoring settings, Vertx vertx) {
        this.registry = registry;
        this.backlog = backlog;
        this.settings = settings;
        this.vertx = vertx;
    }

    void register(@Observes Router router) {
        router.route(PATH + "*").order(AFTER_FILTERS).handler(this::handle);
    }

    /** Answers every path that Quarkus' handler would. */
    private void handle(RoutingContext request) {
        if (!RequestFilter.isUnder(request, PATH)) {
            request.next();
        } else if (!RequestFilter.path(request).equals(PATH) || !isOnItsPort(request)) {
            ProblemResponse.write(request, ProblemResponse.ofStatus(404));
        } else if (ReadOnlyAddress.isRead(request)) {
            if (isAuthorized(request)) {
                Context context = vertx.getOrCreateContext();
                var _ = backlog.refresh().whenComplete((_, _) -> context.runOnContext(_ -> respond(request)));
            } else {
                request.response().putHeader("WWW-Authenticate", BEARER.strip());
                ProblemResponse.write(request, ProblemResponse.ofStatus(401));
            }
        }
    }

    private boolean isOnItsPort(RoutingContext request) {
        return settings.port().isEmpty()
                || settings.port().getAsInt()
                        == request.request().localAddress().port();
    }

    private boolean isAuthorized(RoutingContext request) {
        String header = request.request().getHeader(HttpHeaders.AUTHORIZATION);
        return settings.token().isEmpty()
                || (header != null
                        && MessageDigest.isEqual(bytes(BEARER + settings.token().get()), bytes(header)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void respond(RoutingContext request) {
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
