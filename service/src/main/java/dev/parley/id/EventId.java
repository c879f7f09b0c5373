package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies an event of the event log: the {@code id:} in a live stream, and part of a webhook's id. */
public record EventId(UUID value) implements Id {
    private static final String WEBHOOK = "evt_";

    public static EventId next() {
        return new EventId(UuidV7.next());
    }

    /** Reads an id with or without hyphens, or a {@link #webhookId}; anything else is empty. */
    public static Optional<EventId> parse(String text) {
        return UuidV7.parse(text.startsWith(WEBHOOK) ? text.substring(WEBHOOK.length()) : text)
                .map(EventId::new);
    }

    /** The {@code webhook-id} of the event: the same for every attempt, including replays. */
    public String webhookId() {
        return WEBHOOK + text();
    }

    @Override
    public String toString() {
        return text();
    }
}
