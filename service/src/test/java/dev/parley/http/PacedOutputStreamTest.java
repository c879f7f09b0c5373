package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PacedOutputStreamTest {
    private static final int BODY = 1 << 20;
    private static final int MOST_AHEAD = 64 * 1024;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger written = new AtomicInteger();
    private final OutputStream body = new OutputStream() {
        @Override
        public void write(int b) {
            written.incrementAndGet();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            written.addAndGet(length);
        }
    };

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void aWriterWaitsForABusyEventLoop() throws Exception {
        writes(out -> out.write(new byte[BODY]));
    }

    @Test
    void soItDoesByteByByte() throws Exception {
        writes(out -> {
            for (int i = 0; i < BODY; i++) {
                out.write(i);
            }
        });
    }

    private interface Writer {
        void write(OutputStream out) throws IOException;
    }

    private void writes(Writer writer) throws Exception {
        Context loop = vertx.getOrCreateContext();
        var released = new CountDownLatch(1);
        loop.runOnContext(_ -> await(released));
        var done = new CompletableFuture<Void>();
        Future<Void> _ = loop.executeBlocking(() -> {
            try {
                writer.write(PacedOutputStream.of(body));
                done.complete(null);
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
            return null;
        });
        Instant deadline = Instant.now().plus(Duration.ofSeconds(10));
        while (written.get() == 0 && Instant.now().isBefore(deadline)) {
            Thread.onSpinWait();
        }
        assertThat(done.isDone()).isFalse();
        assertThat(written.get()).isPositive().isLessThanOrEqualTo(MOST_AHEAD);

        released.countDown();
        done.get(20, TimeUnit.SECONDS);
        assertThat(written.get()).isEqualTo(BODY);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
