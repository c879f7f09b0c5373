package dev.parley.http.filter;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Lets filters, which run on the event loop, wait for the database without blocking it: the request is paused,
 * including its body, and resumed with the result. Failures become the usual problem responses, an outage a 503.
 */
public final class EventLoopBridge {
    private EventLoopBridge() {}

    /** Runs the work on a new virtual thread, and the continuation on the request's event loop. */
    public static <T> void run(RoutingContext request, Supplier<T> work, Consumer<T> then) {
        var result = new CompletableFuture<T>();
        await(request, result, then);
        Thread.ofVirtual().name("filter").start(() -> {
            try {
                result.complete(work.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
    }

    /** Continues the request on its event loop when the result is available. */
    public static <T> void await(RoutingContext request, CompletionStage<T> result, Consumer<T> then) {
        Context loop = Vertx.currentContext();
        request.request().pause();
        result.whenComplete((value, failure) -> loop.runOnContext(_ -> {
            request.request().resume();
            if (failure != null) {
                ProblemResponse.write(request, ProblemResponse.of(failure));
                return;
            }
            try {
                then.accept(value);
            } catch (RuntimeException e) {
                ProblemResponse.write(request, ProblemResponse.of(e));
            }
        }));
    }
}
