package dev.parley.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * A check that runs at most once in a period, however many ask for its result, and whose result is there in time: a check
 * that takes longer counts as failed until it ends.
 */
public final class CachedCheck<T> {
    private static final Logger LOG = Logger.getLogger(CachedCheck.class);

    private final String name;
    private final long periodNanos;
    private final long timeoutNanos;
    private final T slow;
    private final Supplier<T> check;
    private CompletableFuture<T> latest = new CompletableFuture<>();
    private long startedAt;

    /**
     * @param name of its thread
     * @param slow the result of a check that fails or takes too long
     */
    public CachedCheck(String name, Duration period, Duration timeout, T slow, Supplier<T> check) {
        this.name = name;
        this.periodNanos = period.toNanos();
        this.timeoutNanos = timeout.toNanos();
        this.slow = slow;
        this.check = check;
        latest.complete(slow);
        this.startedAt = System.nanoTime() - periodNanos;
    }

    /** The result of the check in progress or just completed; else of a new one. */
    public CompletableFuture<T> result() {
        return current().copy().completeOnTimeout(slow, timeoutNanos, TimeUnit.NANOSECONDS);
    }

    private synchronized CompletableFuture<T> current() {
        if (latest.isDone() && System.nanoTime() - startedAt >= periodNanos) {
            startedAt = System.nanoTime();
            var next = new CompletableFuture<T>();
            latest = next;
            Thread.ofVirtual().name(name).start(() -> {
                try {
                    next.complete(check.get());
                } catch (RuntimeException e) {
                    LOG.debugf(e, "The check '%s' failed", name);
                    next.complete(slow);
                }
            });
        }
        return latest;
    }
}
