package dev.parley.db;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Prioritises messages over background work. Under overload, inserts of messages compete with their replies and events
 * for locks and writes on the same rows; background work is then limited to a {@link Budget} until inserts are fast
 * again. Nothing is lost, because waiting work is in the database; on a node that keeps up, nothing changes.
 */
@Singleton
public final class BackgroundThrottle {
    /** A smoothed insert latency above this indicates overload. */
    private static final long LATENCY_THRESHOLD_NANOS = Duration.ofMillis(8).toNanos();

    /** How long that applies when nothing more is inserted. */
    private static final long BUSY_TIME_NANOS = Duration.ofMillis(200).toNanos();

    /** The weight of a new measurement is one in this many. */
    private static final long SMOOTHING = 8;

    private final AtomicLong latency = new AtomicLong();
    private volatile long busyUntil = System.nanoTime();

    /** Records the latency of a client's write, from arrival to commit. */
    public void onWriteCompleted(long nanos) {
        long now = latency.updateAndGet(before -> before + (nanos - before) / SMOOTHING);
        if (now > LATENCY_THRESHOLD_NANOS) {
            busyUntil = System.nanoTime() + BUSY_TIME_NANOS;
        }
    }

    /** Whether background work should wait. */
    public boolean isBusy() {
        return System.nanoTime() - busyUntil < 0;
    }

    /**
     * A budget for one kind of background work: the units per second that it gets even under overload. The rate shrinks
     * and grows gradually, because alternating full stop and full speed would make clients wait for the duration of
     * each burst.
     */
    public Budget budget(int perSecond) {
        return new Budget(perSecond);
    }

    /** The rate limit of one kind of work. */
    public final class Budget {
        private static final long POLL_INTERVAL_NANOS = 20_000_000;

        /** Units per second from which on the budget limits nothing. */
        private static final double UNLIMITED = 20_000;

        private static final double HALVES_IN_NANOS = 50e6;
        private static final double DOUBLES_IN_NANOS = 150e6;

        private final double min;

        /** Units per second; guarded by this object's lock like the fields below. */
        private double rate = UNLIMITED;

        private long adapted = System.nanoTime();

        /** When the work started so far is paid for. */
        private long paidUntil = System.nanoTime();

        private Budget(int perSecond) {
            this.min = perSecond;
        }

        /** Charges work beyond the one unit of {@link #tryBegin}; delays later work while the rate is low. */
        public synchronized void charge(int units) {
            long now = System.nanoTime();
            adapt(now);
            chargeAt(now, units);
        }

        /** Whether a piece of work may start now; charges one unit if so. */
        public synchronized boolean tryBegin() {
            long now = System.nanoTime();
            adapt(now);
            if (isThrottled(now)) {
                return false;
            }
            chargeAt(now, 1);
            return true;
        }

        /** Waits until a piece of work may start, and charges one unit. */
        public void await() throws InterruptedException {
            while (!tryBegin()) {
                TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL_NANOS);
            }
        }

        private boolean isThrottled(long now) {
            return rate < UNLIMITED && paidUntil - now > 0;
        }

        /** A periodic caller may use the time since its last call. */
        private void chargeAt(long now, int units) {
            paidUntil = Math.max(paidUntil, now - POLL_INTERVAL_NANOS)
                    + (long) (units * TimeUnit.SECONDS.toNanos(1) / rate);
        }

        private void adapt(long now) {
            double passed = now - adapted;
            adapted = now;
            rate = isBusy()
                    ? Math.max(min, rate * Math.pow(0.5, passed / HALVES_IN_NANOS))
                    : Math.min(UNLIMITED, rate * Math.pow(2, Math.min(passed / DOUBLES_IN_NANOS, 60)));
            if (rate >= UNLIMITED) {
                paidUntil = now;
            }
        }
    }
}
