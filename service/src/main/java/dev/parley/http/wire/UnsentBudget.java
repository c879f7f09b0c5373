package dev.parley.http.wire;

import dev.parley.metrics.Metric;
import io.micrometer.core.instrument.Counter;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of all connections for clients that do not read. Above the limit the slowest readers are
 * disconnected; those without a meaningful rate yet are spared up to twice the limit.
 */
final class UnsentBudget {
    /** A tenth of the heap. Part of it is direct memory, which has a limit of its own. */
    static final UnsentBudget SHARED = new UnsentBudget(Runtime.getRuntime().maxMemory() / 10).register();

    private static final Counter CLOSED = Metric.HTTP_SLOW_READERS_CLOSED.counter();

    private final long limit;
    private final AtomicLong total = new AtomicLong();
    private final Set<UnsentConnection> connections = ConcurrentHashMap.newKeySet();

    /** A connection with unsent bytes. */
    interface UnsentConnection {
        /** The bytes charged for it. */
        AtomicLong charged();

        /** Bytes per second that the client has read since it fell behind. */
        double rate();

        /** Whether the client has had enough time for a meaningful rate. */
        boolean isSettled();

        /** Closes the connection, from any thread. */
        void disconnect();
    }

    UnsentBudget(long limit) {
        this.limit = limit;
    }

    private UnsentBudget register() {
        Metric.HTTP_UNSENT_BYTES.gauge(total, AtomicLong::get);
        return this;
    }

    static void countClosed() {
        CLOSED.increment();
    }

    long total() {
        return total.get();
    }

    /** Sets a connection's bytes, and disconnects slow readers while the total is over the limit. */
    void charge(UnsentConnection connection, long bytes) {
        connections.add(connection);
        long all = total.addAndGet(bytes - connection.charged().getAndSet(bytes));
        while (all > limit) {
            Optional<UnsentConnection> slowest = slowest(all > 2 * limit);
            if (slowest.isEmpty()) {
                return;
            }
            // First, so that the connection is not charged again while it closes.
            slowest.get().disconnect();
            release(slowest.get());
            countClosed();
            all = total.get();
        }
    }

    /** Removes a connection from the budget. */
    void release(UnsentConnection connection) {
        connections.remove(connection);
        total.addAndGet(-connection.charged().getAndSet(0));
    }

    private Optional<UnsentConnection> slowest(boolean includeUnsettled) {
        return connections.stream()
                .filter(one -> one.charged().get() > 0 && (includeUnsettled || one.isSettled()))
                .min(Comparator.comparingDouble(UnsentConnection::rate));
    }
}
