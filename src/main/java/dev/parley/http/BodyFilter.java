package dev.parley.http;

import dev.parley.problem.ApiProblem;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Lets a body that is not small be read only when there is room for it in the heap ({@link BodyBudget}): until then the
 * request stands still, and its client waits to send. The room is given back when the request is answered.
 */
@Singleton
public final class BodyFilter {
    /** After the filter that refuses what is too large. */
    private static final int PRIORITY = RequestFilter.BODY_SIZE - 10;

    private static final String PLACE = "parley.body";
    private static final int SMALL = 8 * 1024;

    /** A byte of JSON may become twenty to thirty of objects: all bodies together take some third of the heap at worst. */
    private static final long SHARE_OF_HEAP = 80;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final BodyBudget budget = new BodyBudget(
            Math.max(2L * JsonBodyReader.MAX_BODY, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));

    void start(@Observes StartupEvent event) {
        Gauge.builder("parley.http.bodies.waiting", budget, BodyBudget::waiting)
                .description("Requests that wait until there is room in the heap for their bodies")
                .register(Metrics.globalRegistry);
    }

    void register(@Observes Filters filters) {
        filters.register(this::handle, PRIORITY);
    }

    private void handle(RoutingContext request) {
        int bytes = size(request.request());
        if (bytes <= SMALL) {
            request.next();
            return;
        }
        BodyBudget.BudgetPermit place = budget.ask(caller(request), bytes, PATIENCE);
        request.put(PLACE, place);
        request.addEndHandler(_ -> place.close());
        CompletableFuture<Boolean> granted = place.granted();
        if (granted.isDone()) {
            decide(request, granted.resultNow());
        } else {
            EventLoopBridge.await(request, granted, found -> decide(request, found));
        }
    }

    private static void decide(RoutingContext request, boolean granted) {
        if (granted) {
            request.next();
        } else if (!request.response().closed()) {
            RequestRejection.afterBody(
                    request, ApiProblem.unavailable("The service cannot take more right now.", Duration.ofSeconds(2)));
        }
    }

    /**
     * Tells that the request's body is used and forgotten, while its answer takes long still, as when a trigger waits for
     * its workflow: others may have its room.
     */
    public static void bodyUsed(RoutingContext request) {
        BodyBudget.BudgetPermit place = request.get(PLACE);
        if (place != null) {
            place.close();
        }
    }

    /** What a body may have; one of undeclared length may have as much as is allowed. */
    private static int size(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        if (length != null) {
            return Integer.parseInt(length); // Larger ones were refused.
        }
        return request.getHeader("Transfer-Encoding") == null ? 0 : JsonBodyReader.MAX_BODY;
    }

    private static String caller(RoutingContext request) {
        return ApiKeyCaller.find(request)
                .map(caller -> caller.organization().text())
                .or(() -> DashboardUser.find(request).map(person -> person.id().text()))
                .orElseGet(
                        () -> String.valueOf(request.request().remoteAddress().hostAddress()));
    }
}
