package dev.parley.message;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Marks a message PROCESSING when its handler takes long. */
final class SlowMessageMarker {
    private static final Logger LOG = Logger.getLogger(SlowMessageMarker.class);
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ProcessingStore store;
    private final AtomicReference<@Nullable HandledMessage> current = new AtomicReference<>();

    private record HandledMessage(PendingMessage message, long since) {}

    SlowMessageMarker(ProcessingStore store) {
        this.store = store;
    }

    void begin(PendingMessage message) {
        current.set(new HandledMessage(message, System.nanoTime()));
    }

    void end() {
        current.set(null);
    }

    void check() {
        HandledMessage now = current.get();
        if (now != null && System.nanoTime() - now.since() > SLOW_NANOS && current.compareAndSet(now, null)) {
            Thread.ofVirtual().start(() -> mark(now.message()));
        }
    }

    private void mark(PendingMessage message) {
        try {
            store.markProcessing(message);
        } catch (RuntimeException e) {
            LOG.debugf("Message %s was not marked as PROCESSING: %s", message.id(), e.getMessage());
        }
    }
}
