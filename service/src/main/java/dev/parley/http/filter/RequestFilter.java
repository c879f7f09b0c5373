package dev.parley.http.filter;

import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import dev.parley.trace.Tracing;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * Runs before every endpoint: sets the request id (taken from {@code X-Request-Id} if valid) for the response and log
 * lines, adds security headers, and logs the request.
 */
@Singleton
public final class RequestFilter {
    public static final String REQUEST_ID = "X-Request-Id";

    /** Higher priorities run first: this filter, authentication, rate limit, dot segments, body size, body budget. */
    private static final int PRIORITY = 1_000;

    /** Priority of the authentication filters. */
    public static final int AUTHENTICATION = 200;

    /** Priority of the rate limit filter. */
    public static final int RATE_LIMIT = 100;

    private static final Set<HttpMethod> SAFE_METHODS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

    /** Without signing in, the dashboard shows nothing. */
    private static final Set<String> STANDBY_WRITES = Set.of("/dashboard/api/login", "/dashboard/api/logout");

    private static final Duration STANDBY_RETRY = Duration.ofMinutes(1);
    private static final int DOTS = 60;
    static final int BODY_SIZE = 50;

    private static final Pattern DOT_SEGMENT = Pattern.compile("/(?:\\.|%2[eE]){1,2}(?:[/;]|$)");

    /** Path prefixes that are followed by a secret. */
    private static final Pattern ID =
            Pattern.compile("(?<=/media/files/)[^{].*|(?<=/)(\\d+|[0-9a-fA-F-]{32,36})(?=/|$)");

    private static final List<String> SECRET_PREFIXES =
            List.of("/developer/uploads/", "/developer/resume/", "/dashboard/api/invitations/", "/invitations/");

    private static final Logger LOG = Logger.getLogger("dev.parley.http.Requests");
    private static final Pattern VALID_REQUEST_ID = Pattern.compile("[A-Za-z0-9._~-]{1,128}");

    private final boolean logAll;
    private final boolean standby;
    private final Duration shutdownDelay;
    private volatile @Nullable Instant closesAt;

    public RequestFilter(Settings.Listener listener, Settings.Logging logging, Settings.Engines engines) {
        this.standby = engines.standby();
        this.logAll = logging.allRequests();
        this.shutdownDelay = listener.shutdownDelay();
    }

    void register(@Observes Filters filters) {
        filters.register(this::handle, PRIORITY);
        filters.register(RequestFilter::refuseDots, DOTS);
        filters.register(RequestFilter::refuseTooLarge, BODY_SIZE);
    }

    /**
     * Closes each connection after its response from now on, so that clients reconnect to other nodes. After the delay,
     * new requests are rejected while those in progress finish.
     */
    void shutsDown(@Observes ShutdownDelayInitiatedEvent event) {
        closesAt = Instant.now().plus(shutdownDelay);
    }

    /** Gives requests without a resource, and failures before one is reached, the standard error body. */
    void failures(@Observes Router router) {
        router.route()
                .order(Integer.MAX_VALUE)
                .handler(request -> ProblemResponse.write(request, ProblemResponse.ofStatus(404)));
        router.route().failureHandler(request -> {
            Throwable failure = request.failure();
            int status = request.statusCode();
            ProblemResponse.write(
                    request,
                    failure != null && status >= 500
                            ? ProblemResponse.of(failure)
                            : ProblemResponse.ofStatus(status, path(request)));
        });
    }

    private void handle(RoutingContext context) {
        HttpServerRequest request = context.request();
        String header = request.getHeader(REQUEST_ID);
        String id = header != null && VALID_REQUEST_ID.matcher(header).matches()
                ? header
                : dev.parley.id.UuidV7.text(dev.parley.id.UuidV7.next());
        MDC.put("requestId", id);
        var headers = context.response().headers();
        headers.set(REQUEST_ID, id);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cache-Control", "no-store");
        Instant closes = closesAt;
        if (closes != null) {
            headers.set("Connection", "close");
            if (!isProbe(context.normalizedPath()) && Instant.now().isAfter(closes)) {
                RequestRejection.afterBody(
                        context, ApiProblem.unavailable("This node shuts down.", Duration.ofSeconds(1)));
                return;
            }
        }
        long start = System.nanoTime();
        if (!isProbe(context.normalizedPath())) {
            context.addEndHandler(_ -> log(context, id, start));
            if (Tracing.isOn()) {
                RequestSpan.start(context);
            }
        }
        if (standby && !SAFE_METHODS.contains(request.method()) && !STANDBY_WRITES.contains(path(context))) {
            RequestRejection.afterBody(context, standby());
            return;
        }
        context.next();
    }

    /** A request that a service on standby does not serve. */
    public static ApiProblem standby() {
        return ApiProblem.unavailable(
                "This service is on standby: it serves reads only, and runs and sends nothing.", STANDBY_RETRY);
    }

    /**
     * Rejects paths with {@code .} or {@code ..} segments: a client that sends such an "id" to
     * {@code DELETE …/teams/{id}} does not mean to delete the organization.
     */
    private static void refuseDots(RoutingContext context) {
        String path = context.request().path();
        boolean mayHaveDots = path.contains("/.") || path.contains("/%2");
        if (mayHaveDots && DOT_SEGMENT.matcher(path).find()) {
            RequestRejection.afterBody(context, ProblemResponse.ofStatus(404));
        } else {
            context.next();
        }
    }

    /**
     * Rejects a body whose declared length is too large, after authentication. The body's reader checks undeclared
     * lengths.
     */
    private static void refuseTooLarge(RoutingContext context) {
        String length = context.request().getHeader("Content-Length");
        int max = JsonBodyReader.maxBody(path(context));
        if (length == null || !isTooLarge(length, max)) {
            context.next();
            return;
        }
        RequestRejection.afterBody(context, JsonBodyReader.tooLarge(max));
    }

    /**
     * The request's path as resources match it: without matrix parameters and a trailing slash. Every filter must use
     * it, so that {@code /developer;x/api/messages/} cannot bypass one.
     */
    public static String path(RoutingContext context) {
        String path = context.normalizedPath();
        if (path.indexOf(';') >= 0) {
            path = path.replaceAll(";[^/]*", "");
        }
        int end = path.length();
        while (end > 1 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    /** Whether the request's path is the prefix or below it. */
    public static boolean isUnder(RoutingContext context, String prefix) {
        String path = path(context);
        return path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
    }

    /** Health and metrics probes are not logged. */
    private static boolean isProbe(String path) {
        return path.startsWith("/health") || path.equals("/metrics");
    }

    private static boolean isTooLarge(String length, int max) {
        return length.length() > 8 || Long.parseLong(length) > max;
    }

    /** A path of a route without its ids, so that it has few values. */
    public static String withoutIds(String path) {
        return ID.matcher(path).replaceAll("{id}");
    }

    /** The path for the log, without the token of an upload or an invitation, which is a secret while it is valid. */
    static String redactedPath(String path) {
        for (String start : SECRET_PREFIXES) {
            if (path.startsWith(start)) {
                return start + '…';
            }
        }
        return path;
    }

    private void log(RoutingContext context, String id, long start) {
        int status = context.response().getStatusCode();
        if (!logAll && status < 400) {
            return;
        }
        MDC.put("requestId", id);
        // Built without a format string: that would be parsed again for every request.
        long micros = (System.nanoTime() - start) / 1_000;
        LOG.info(context.request().method().name() + ' '
                + redactedPath(path(context)) + ' ' + status + ' ' + micros / 1_000 + '.' + micros % 1_000 / 100
                + "ms");
    }
}
