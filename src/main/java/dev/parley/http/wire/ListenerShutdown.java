package dev.parley.http.wire;

import dev.parley.settings.Settings;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Stops listening when the service shuts down, {@link Settings.Listener#shutdownDelay} after it said so and {@link #LINGER}
 * before it closes connections: whoever was accepted has that long to send a request, and is answered.
 */
@Singleton
public final class ListenerShutdown {
    /** Between the end of listening and the end of connections on which no request is being answered. */
    public static final Duration LINGER = Duration.ofMillis(500);

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
