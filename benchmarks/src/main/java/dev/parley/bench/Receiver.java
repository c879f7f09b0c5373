package dev.parley.bench;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/** Takes webhooks as quickly as it can, in the bench's own process, and counts them. */
final class Receiver {
    private final AtomicLong taken = new AtomicLong();
    private final String url;

    Receiver() {
        try {
            int port = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1))
                    .createHttpServer()
                    .requestHandler(request -> request.body().onSuccess(ignored -> {
                        taken.incrementAndGet();
                        request.response().end();
                    }))
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join()
                    .actualPort();
            url = "http://127.0.0.1:" + port + "/hooks";
        } catch (CompletionException e) {
            throw new BenchException("The receiver of webhooks does not start: " + e.getMessage());
        }
    }

    String url() {
        return url;
    }

    long taken() {
        return taken.get();
    }
}
