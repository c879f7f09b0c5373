package dev.parley.tool.mcp;

import dev.parley.egress.ServerSentEvents;
import dev.parley.egress.ServerSentEvents.ServerSentEvent;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The server-sent events of one request, which may arrive over several streams, whose own limits bound the sizes. */
final class EventStream {
    private static final Duration DEFAULT_RETRY = Duration.ofSeconds(1);
    private static final Duration MIN_RETRY = Duration.ofMillis(100);

    private @Nullable String lastId;
    private Duration retry = DEFAULT_RETRY;

    /** Receives the data of one event. */
    @FunctionalInterface
    interface EventReader {
        /** @return whether to read on */
        boolean take(String data) throws IOException;
    }

    /** The id to resume after; empty if the server sent none. */
    Optional<String> lastId() {
        return Optional.ofNullable(lastId).filter(id -> !id.isEmpty());
    }

    /** How long to wait before resuming. */
    Duration retry() {
        return retry;
    }

    /** Reads until the stream ends or the reader stops. */
    void read(InputStream stream, EventReader reader) throws IOException {
        var events = new ServerSentEvents(stream, Long.MAX_VALUE);
        for (Optional<ServerSentEvent> next = events.next(); next.isPresent(); next = events.next()) {
            ServerSentEvent event = next.get();
            lastId = event.id() == null ? lastId : event.id();
            if (event.retryMillis() != null) {
                Duration asked = Duration.ofMillis(event.retryMillis());
                retry = asked.compareTo(MIN_RETRY) < 0 ? MIN_RETRY : asked;
            }
            if (!event.data().isBlank() && !reader.take(event.data())) {
                return;
            }
        }
    }
}
