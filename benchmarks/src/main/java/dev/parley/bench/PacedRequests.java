package dev.parley.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Two kinds of requests in turn at a fixed pace, whatever became of the one before: a pause of the service shows in
 * every request that fell into it.
 */
final class PacedRequests {
    /** Of either kind. */
    private static final int REQUESTS_PER_SECOND = 100;

    private final Kind first;
    private final Kind second;

    /** Latencies of the successful requests in milliseconds, each counted from when the request was due. */
    record Latency(double p50, double p99, double max) {}

    /** The latencies of the two kinds in the same time. */
    record Both(Latency first, Latency second) {}

    PacedRequests(Runnable first, Runnable second) {
        this.first = new Kind(first);
        this.second = new Kind(second);
    }

    Both measure(int seconds) {
        first.reset();
        second.reset();
        run(seconds);
        return new Both(first.latency(), second.latency());
    }

    /** Ends when the last request was answered. */
    void run(int seconds) {
        try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            long step = TimeUnit.SECONDS.toNanos(1) / (2 * REQUESTS_PER_SECOND);
            long due = System.nanoTime();
            for (int i = 0; i < 2 * REQUESTS_PER_SECOND * seconds; i++, due += step) {
                long wait = due - System.nanoTime();
                if (wait > 0) {
                    LockSupport.parkNanos(wait);
                }
                long from = due;
                Kind kind = i % 2 == 0 ? first : second;
                senders.execute(() -> kind.send(from));
            }
        }
    }

    private static final class Kind {
        private final Runnable request;
        private final List<Long> nanos = new ArrayList<>();
        private int failed;
        private String lastFailure = "";

        Kind(Runnable request) {
            this.request = request;
        }

        void send(long due) {
            try {
                request.run();
            } catch (RuntimeException e) {
                synchronized (nanos) {
                    failed++;
                    lastFailure = e.toString();
                }
                return;
            }
            long took = System.nanoTime() - due;
            synchronized (nanos) {
                nanos.add(took);
            }
        }

        void reset() {
            synchronized (nanos) {
                nanos.clear();
                failed = 0;
                lastFailure = "";
            }
        }

        Latency latency() {
            synchronized (nanos) {
                if (failed > 0) {
                    System.out.printf(
                            "bench: %d of %d requests failed, the last with %s%n",
                            failed, failed + nanos.size(), lastFailure);
                }
                List<Long> sorted = nanos.stream().sorted().toList();
                return new Latency(at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
            }
        }

        private static double at(List<Long> sorted, double quantile) {
            if (sorted.isEmpty()) {
                return Double.NaN;
            }
            return sorted.get((int) Math.min(sorted.size() - 1L, Math.round(quantile * sorted.size()))) / 1e6;
        }
    }
}
