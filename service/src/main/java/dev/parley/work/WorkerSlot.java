package dev.parley.work;

import dev.parley.id.NodeId;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker and its phase. Guarded by its own lock; the worker is never called under it. */
final class WorkerSlot<K, W extends KeyWorker> {
    private enum Phase {
        IDLE,
        /** Waits for its turn. */
        QUEUED,
        RUNNING,
        /** Waits for a wake-up or the end of its backoff. */
        RETRYING,
        RELEASING,
        CLOSED
    }

    private static final long MIN_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(8);
    private static final int VERSION_UNKNOWN = -1;

    final K key;
    final WorkGroup group;
    final NodeId owner;
    final W worker;
    private Phase phase = Phase.IDLE;
    private boolean woken;
    private int pins;
    private int version = VERSION_UNKNOWN;
    private long phaseSince = System.nanoTime();
    private long backoff = MIN_BACKOFF_NANOS;
    private @Nullable Thread thread;

    WorkerSlot(K key, WorkGroup group, NodeId owner, W worker) {
        this.key = key;
        this.group = group;
        this.owner = owner;
        this.worker = worker;
    }

    /** True if the caller must queue it now. */
    synchronized boolean wake() {
        switch (phase) {
            case IDLE, RETRYING -> {
                backoff = MIN_BACKOFF_NANOS;
                enter(Phase.QUEUED);
                return true;
            }
            case RUNNING, RELEASING -> woken = true;
            case QUEUED, CLOSED -> {
                // It runs soon, or never again.
            }
        }
        return false;
    }

    /** True if the caller must queue it, because another node has added work since the last call. */
    synchronized boolean wakeIfChanged(int newVersion) {
        boolean changed = newVersion != version;
        version = newVersion;
        return changed && wake();
    }

    /** False if it was closed while it waited. */
    synchronized boolean begin() {
        if (phase != Phase.QUEUED) {
            return false;
        }
        enter(Phase.RUNNING);
        woken = false;
        thread = Thread.currentThread();
        return true;
    }

    /** True if the caller must queue it again. */
    synchronized boolean end(NextRun next) {
        thread = null;
        if (phase == Phase.CLOSED) {
            return false;
        }
        if (next == NextRun.NOW || (woken && next != NextRun.FENCED)) {
            enter(Phase.QUEUED);
            return true;
        }
        if (next == NextRun.RETRY) {
            enter(Phase.RETRYING);
        } else {
            backoff = MIN_BACKOFF_NANOS;
            enter(Phase.IDLE);
        }
        return false;
    }

    /** True if the caller must queue it, because its backoff has ended. */
    synchronized boolean endBackoff() {
        if (phase != Phase.RETRYING || System.nanoTime() - phaseSince < backoff) {
            return false;
        }
        backoff = Math.min(2 * backoff, MAX_BACKOFF_NANOS);
        enter(Phase.QUEUED);
        return true;
    }

    /** True if it has been idle for so long; the caller must then release it and call {@link #endRelease}. */
    synchronized boolean beginRelease(long idleNanos) {
        if (phase != Phase.IDLE || pins > 0 || System.nanoTime() - phaseSince < idleNanos) {
            return false;
        }
        enter(Phase.RELEASING);
        woken = false;
        return true;
    }

    /** True if the caller must queue it. */
    synchronized boolean endRelease(boolean released) {
        if (phase != Phase.RELEASING) {
            return false;
        }
        enter(Phase.IDLE);
        return (woken || !released) && wake();
    }

    synchronized void pin() {
        pins++;
    }

    synchronized void unpin() {
        pins--;
    }

    /** Closes an idle slot; false if it must be kept. */
    synchronized boolean closeIfIdle() {
        if (phase == Phase.IDLE && pins == 0) {
            enter(Phase.CLOSED);
        }
        return phase == Phase.CLOSED;
    }

    /** Ends the slot, whatever it does. */
    void close() {
        synchronized (this) {
            enter(Phase.CLOSED);
            if (thread != null && !thread.equals(Thread.currentThread())) {
                thread.interrupt();
            }
        }
        worker.abandon();
    }

    private void enter(Phase next) {
        phase = next;
        phaseSince = System.nanoTime();
    }
}
