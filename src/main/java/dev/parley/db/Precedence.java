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
public final class Precedence {
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

    /** A share for one kind of work that can wait: so many units a second it has even when there is too much to do. */
    public Share share(int perSecond) {
        return new Share(perSecond);
    }

    /** What one kind of work may do. */
    public final class Share {
        private static final long LOOK_NANOS = 20_000_000;

        private final long nanosPerUnit;
        private final AtomicLong free = new AtomicLong(System.nanoTime());

        private Share(int perSecond) {
            this.nanosPerUnit = TimeUnit.SECONDS.toNanos(1) / perSecond;
        }

        /** Says what was done; paid for by waiting later, as long as there is too much to do. */
        public void charge(int units) {
            long now = System.nanoTime();
            free.updateAndGet(before -> Math.max(before, now) + units * nanosPerUnit);
        }

        /** Whether more should not begin now. */
        public boolean mustWait() {
            if (!isBusy()) {
                free.set(System.nanoTime());
                return false;
            }
            return free.get() - System.nanoTime() > 0;
        }

        /** Waits until more may begin. */
        public void await() throws InterruptedException {
            while (mustWait()) {
                TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
            }
        }
    }
}
