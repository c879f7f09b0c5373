package dev.parley.message.run;

import dev.parley.message.PendingMessage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Calls its listener when a message's handler takes longer than 50 ms, and then four times a second until it ends.
 */
final class SlowHandlerMonitor {
    private static final Logger LOG = Logger.getLogger(SlowHandlerMonitor.class);
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long REPORT_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final SlowHandlerListener listener;

    /** Written under this object's lock, so that {@link #end} waits for a call of the listener. */
    private volatile @Nullable HandledMessage current;

    private static final class HandledMessage {
        final PendingMessage message;
        final long since = System.nanoTime();
        boolean isWatched;
        boolean isReported;

        HandledMessage(PendingMessage message) {
            this.message = message;
        }
    }

    /** Called with the message, and whether it is the first call for it that succeeds. */
    @FunctionalInterface
    interface SlowHandlerListener {
        void onSlow(PendingMessage message, boolean isFirst);
    }

    SlowHandlerMonitor(SlowHandlerListener listener) {
        this.listener = listener;
    }

    synchronized void begin(PendingMessage message) {
        current = new HandledMessage(message);
    }

    /** True if the listener was called for the message. */
    synchronized boolean end() {
        HandledMessage ended = current;
        current = null;
        return ended != null && ended.isReported;
    }

    /** Called often, by another thread. */
    void check() {
        HandledMessage handled = current;
        if (handled != null && !handled.isWatched && System.nanoTime() - handled.since > SLOW_NANOS) {
            handled.isWatched = true;
            Thread.ofVirtual().name("slow-handler").start(() -> watch(handled));
        }
    }

    private void watch(HandledMessage handled) {
        while (report(handled)) {
            LockSupport.parkNanos(REPORT_INTERVAL_NANOS);
        }
    }

    /** False if the handler has ended. */
    private synchronized boolean report(HandledMessage handled) {
        if (!handled.equals(current)) {
            return false;
        }
        try {
            listener.onSlow(handled.message, !handled.isReported);
            handled.isReported = true;
        } catch (RuntimeException e) {
            LOG.debugf("Message %s is reported as slow later: %s", handled.message.id(), e.getMessage());
        }
        return true;
    }
}
