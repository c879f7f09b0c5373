package dev.parley.db;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets what clients wait for go before what can wait. Where the cores or the database cannot do both at once, messages
 * wait ever longer to be stored, since answering them and telling others of them lock and write the same rows; then
 * work that can wait is held to a {@link Share} until storing is quick again. Nothing is lost by it: what waits is in
 * the database, and is done when the clients pause. On a node that keeps up it changes nothing.
 */
@Singleton
public final class BackgroundThrottle {
    /** Storing that takes longer than this, over some batches, says that there is too much to do. */
    private static final long QUICK_NANOS = Duration.ofMillis(8).toNanos();

    /** How long that holds when nothing more is stored. */
    private static final long HOLDS_NANOS = Duration.ofMillis(200).toNanos();

    /** A new measurement counts for one of so many. */
    private static final long SMOOTHING = 8;

    private final AtomicLong usual = new AtomicLong();
    private volatile long busyUntil = System.nanoTime();

    /** Tells how long a client's write has waited, from its coming to its commit. */
    public void waited(long nanos) {
        long now = usual.updateAndGet(before -> before + (nanos - before) / SMOOTHING);
        if (now > QUICK_NANOS) {
            busyUntil = System.nanoTime() + HOLDS_NANOS;
        }
    }

    /** Whether what can wait should. */
    public boolean isBusy() {
        return System.nanoTime() - busyUntil < 0;
    }

    /**
     * A share for one kind of work that can wait: so many units a second it has even when there is too much to do. As
     * soon as there is, the share shrinks to that, and grows again when there is not, both over a moment: a full stop and
     * a full start in turn would make clients wait as long as the start lasts.
     */
    public Budget share(int perSecond) {
        return new Budget(perSecond);
    }

    /** What one kind of work may do. */
    public final class Budget {
        private static final long LOOK_NANOS = 20_000_000;

        /** Units a second from which on the share holds nothing back. */
        private static final double UNLIMITED = 20_000;

        private static final double HALVES_IN_NANOS = 50e6;
        private static final double DOUBLES_IN_NANOS = 150e6;

        private final double least;

        /** Units a second; guarded by this object's lock like the fields below. */
        private double rate = UNLIMITED;

        private long adapted = System.nanoTime();

        /** When what was begun is paid for. */
        private long free = System.nanoTime();

        private Budget(int perSecond) {
            this.least = perSecond;
        }

        /** Says what was done beyond {@link #tryBegin}'s one unit; paid for by waiting later, while the share is small. */
        public synchronized void charge(int units) {
            long now = System.nanoTime();
            adapt(now);
            pay(now, units);
        }

        /** Whether a piece of work may begin now, one at a time; counts it as one unit. */
        public synchronized boolean tryBegin() {
            long now = System.nanoTime();
            adapt(now);
            if (isHeld(now)) {
                return false;
            }
            pay(now, 1);
            return true;
        }

        /** Whether more should not begin now. */
        public synchronized boolean mustWait() {
            long now = System.nanoTime();
            adapt(now);
            return isHeld(now);
        }

        /** Waits until a piece of work may begin, and begins it. */
        public void await() throws InterruptedException {
            while (!tryBegin()) {
                TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
            }
        }

        private boolean isHeld(long now) {
            return rate < UNLIMITED && free - now > 0;
        }

        /** Who looks every now and then may make up for what passed since its last look. */
        private void pay(long now, int units) {
            free = Math.max(free, now - LOOK_NANOS) + (long) (units * TimeUnit.SECONDS.toNanos(1) / rate);
        }

        private void adapt(long now) {
            double passed = now - adapted;
            adapted = now;
            rate = isBusy()
                    ? Math.max(least, rate * Math.pow(0.5, passed / HALVES_IN_NANOS))
                    : Math.min(UNLIMITED, rate * Math.pow(2, Math.min(passed / DOUBLES_IN_NANOS, 60)));
            if (rate >= UNLIMITED) {
                free = now;
            }
        }
    }
}
