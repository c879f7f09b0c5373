package dev.parley.http.filter;

import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.access.DashboardUser;
import dev.parley.metrics.Metric;
import dev.parley.problem.ApiProblem;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Delays reading a body that is not small until the budget permits it ({@link BodyBudget}). The request is paused
 * meanwhile, so its client waits to send. The permit is released with the response.
 */
@Singleton
public final class BodyFilter {
    /** Runs after the filter that rejects bodies over the limit. */
    private static final int PRIORITY = RequestFilter.BODY_SIZE - 10;

    private static final String PERMIT = "parley.body";
    private static final int SMALL = 8 * 1024;

    /**
     * A byte of JSON may become twenty to thirty bytes of objects: all bodies together take about a third of the heap
     * at worst.
     */
    private static final long SHARE_OF_HEAP = 80;

    private static final Duration WAIT_LIMIT = Duration.ofSeconds(10);

    private final BodyBudget budget = new BodyBudget(
            Math.max(2L * JsonBodyReader.MAX_BODY, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));

    void start(@Observes StartupEvent event) {
        Metric.HTTP_BODIES_WAITING.gauge(budget, BodyBudget::waiting);
    }

    void register(@Observes Filters filters) {
        filters.register(this::handle, PRIORITY);
    }

    private void handle(RoutingContext request) {
        int bytes = size(request);
        if (bytes <= SMALL) {
            request.next();
            return;
        }
        BodyBudget.BudgetPermit permit = budget.request(caller(request), bytes, WAIT_LIMIT);
        request.put(PERMIT, permit);
        request.addEndHandler(_ -> permit.close());
        CompletableFuture<Boolean> granted = permit.granted();
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
                    request, ApiProblem.unavailable("The service is at capacity.", Duration.ofSeconds(2)));
        }
    }

    /**
     * Releases the body's permit before the response when the body is no longer needed, for example while a trigger waits
     * for its workflow.
     */
    public static void bodyUsed(RoutingContext request) {
        BodyBudget.BudgetPermit permit = request.get(PERMIT);
        if (permit != null) {
            permit.close();
        }
    }

    /** The size to reserve; a body of undeclared length reserves the maximum. */
    private static int size(RoutingContext context) {
        HttpServerRequest request = context.request();
        String length = request.getHeader("Content-Length");
        if (length != null) {
            return Integer.parseInt(length); // Larger ones have been rejected.
        }
        return request.getHeader("Transfer-Encoding") == null ? 0 : JsonBodyReader.maxBody(RequestFilter.path(context));
    }

    private static String caller(RoutingContext request) {
        return ApiKeyCaller.find(request)
                .map(caller -> caller.organization().text())
                .or(() -> DashboardUser.find(request).map(person -> person.id().text()))
                .orElseGet(
                        () -> String.valueOf(request.request().remoteAddress().hostAddress()));
    }
}
