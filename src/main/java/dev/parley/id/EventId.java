package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies an event of the event log: the {@code id:} of a live stream, and what a webhook's id is made of. */
public record EventId(UUID value) implements Id {
    public static EventId next() {
        return new EventId(Uuids.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<EventId> parse(String text) {
        return Uuids.parse(text).map(EventId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
