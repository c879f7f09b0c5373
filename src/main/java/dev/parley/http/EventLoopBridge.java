package dev.parley.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * How a filter, which runs on the event loop, waits for the database without blocking it: the request stands still
 * (its body is not read meanwhile) and goes on where it was. What fails is answered as everywhere, an outage by 503.
 */
public final class EventLoopBridge {
    private EventLoopBridge() {}

    /** Runs the work on a virtual thread of its own, and what follows from it on the request's event loop. */
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

    /** Goes on with the request on its event loop when the result is there. */
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
