package dev.parley.http.wire;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what all connections together hold in memory for clients that do not read. Above the limit the slowest
 * readers are disconnected; those that have had little time so far are spared up to twice the limit.
 */
final class UnsentBudget {
    /** A sixth of the heap; part of it is direct memory, of which there is half as much as heap. */
    static final UnsentBudget SHARED =
            new UnsentBudget(Runtime.getRuntime().maxMemory() / 6).register("parley.http.unsent.bytes");

    private static final Counter CLOSED = Counter.builder("parley.http.slow.readers.closed")
            .description("Connections that were closed because their clients did not read the answers")
            .register(Metrics.globalRegistry);

    private final long limit;
    private final AtomicLong total = new AtomicLong();
    private final Set<Holder> holders = ConcurrentHashMap.newKeySet();

    /** A connection with bytes that its client has not taken. */
    interface Holder {
        /** The bytes that it was last charged for. */
        AtomicLong charged();

        /** Bytes per second that the client has taken since it fell behind. */
        double rate();

        /** Whether the client has had enough time for its rate to mean something. */
        boolean isSettled();

        /** Closes the connection, from any thread. */
        void disconnect();
    }

    UnsentBudget(long limit) {
        this.limit = limit;
    }

    private UnsentBudget register(String gauge) {
        Gauge.builder(gauge, total, AtomicLong::get)
                .description("Bytes of answers that wait for clients that do not read")
                .register(Metrics.globalRegistry);
        return this;
    }

    static void countClosed() {
        CLOSED.increment();
    }

    long total() {
        return total.get();
    }

    /** Sets what the connection holds now, and disconnects slow readers while all hold too much. */
    void charge(Holder holder, long bytes) {
        holders.add(holder);
        long all = total.addAndGet(bytes - holder.charged().getAndSet(bytes));
        while (all > limit) {
            Optional<Holder> slowest = slowest(all > 2 * limit);
            if (slowest.isEmpty()) {
                return;
            }
            release(slowest.get());
            countClosed();
            slowest.get().disconnect();
            all = total.get();
        }
    }

    /** The connection holds nothing any more. */
    void release(Holder holder) {
        holders.remove(holder);
        total.addAndGet(-holder.charged().getAndSet(0));
    }

    private Optional<Holder> slowest(boolean unsettledToo) {
        return holders.stream()
                .filter(one -> one.charged().get() > 0 && (unsettledToo || one.isSettled()))
                .min(Comparator.comparingDouble(Holder::rate));
    }
}
