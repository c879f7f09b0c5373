package dev.parley.http.wire;

import dev.parley.settings.Settings;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Stops listening during shutdown, {@link Settings.Listener#shutdownDelay} after readiness ends and {@link #IDLE_CLOSE_DELAY} before
 * connections close: an accepted client has that long to send a request.
 */
@Singleton
public final class ListenerShutdown {
    /** The time between closing the listener and closing idle connections. */
    public static final Duration IDLE_CLOSE_DELAY = Duration.ofMillis(500);

    private final Duration delay;

    public ListenerShutdown(Settings.Listener settings) {
        this.delay = settings.shutdownDelay();
    }

    void shutsDown(@Observes ShutdownDelayInitiatedEvent event) {
        Thread.ofVirtual().name("drain").start(() -> {
            try {
                Thread.sleep(delay);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            GuardedListener.closeAll();
        });
    }
}
