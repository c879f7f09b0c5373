package dev.parley.http;

import dev.parley.Settings;
import dev.parley.problem.Problem;
import dev.parley.problem.ProblemKind;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jboss.logging.MDC;

/**
 * What goes before every endpoint: the request id, taken from {@code X-Request-Id} when it is sane, which each answer
 * and log line carries; headers that make answers harmless in a browser; the log line of the request itself.
 */
@Singleton
public final class RequestFilter {
    public static final String REQUEST_ID = "X-Request-Id";

    /** Higher goes first: before authentication, which has 100 to 200. */
    private static final int PRIORITY = 1_000;

    private static final Logger LOG = Logger.getLogger("dev.parley.http.Requests");
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._~-]{1,128}");

    private final boolean logAll;

    public RequestFilter(Settings settings) {
        this.logAll = settings.logAllRequests();
    }

    void register(@Observes Filters filters) {
        filters.register(this::handle, PRIORITY);
    }

    /** What no resource answers, or what fails before one is reached, gets the one error body as well. */
    void failures(@Observes Router router) {
        router.route()
                .order(Integer.MAX_VALUE)
                .handler(request -> ProblemResponse.write(request, ProblemResponse.ofStatus(404)));
        router.route().failureHandler(request -> {
            Throwable failure = request.failure();
            int status = request.statusCode();
            ProblemResponse.write(
                    request,
                    failure != null && status >= 500 ? ProblemResponse.of(failure) : ProblemResponse.ofStatus(status));
        });
    }

    private void handle(RoutingContext context) {
        HttpServerRequest request = context.request();
        String given = request.getHeader(REQUEST_ID);
        String id = given != null && SANE.matcher(given).matches()
                ? given
                : dev.parley.id.Uuids.text(dev.parley.id.Uuids.next());
        MDC.put("requestId", id);
        var headers = context.response().headers();
        headers.set(REQUEST_ID, id);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cache-Control", "no-store");
        long start = System.nanoTime();
        context.addEndHandler(_ -> log(context, id, start));
        String length = request.getHeader("Content-Length");
        if (length != null && isTooLarge(length) && isJsonRoute(context)) {
            // Told before authentication only as far as Vert.x itself would: the body is never read.
            context.put("bodyTooLarge", true);
        }
        context.next();
    }

    /** Throws PAYLOAD_TOO_LARGE when the declared length is over the limit; asked after authentication. */
    public static void refuseTooLarge(RoutingContext context) {
        if (Boolean.TRUE.equals(context.get("bodyTooLarge"))) {
            throw Problem.of(ProblemKind.PAYLOAD_TOO_LARGE, "The body is larger than 1 MiB.");
        }
    }

    private static boolean isJsonRoute(RoutingContext context) {
        return !context.normalizedPath().startsWith("/media/");
    }

    private static boolean isTooLarge(String length) {
        return length.length() > 7 || Long.parseLong(length) > JsonBodyReader.MAX_BODY;
    }

    private void log(RoutingContext context, String id, long start) {
        int status = context.response().getStatusCode();
        if (!logAll && status < 400) {
            return;
        }
        MDC.put("requestId", id);
        LOG.infof(
                "%s %s %d %.1fms request=%s",
                context.request().method(), context.request().path(), status, (System.nanoTime() - start) / 1e6, id);
    }
}
