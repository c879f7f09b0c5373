package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies a ticket. */
public record TicketId(UUID value) implements Id {
    public static TicketId next() {
        return new TicketId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<TicketId> parse(String text) {
        return UuidV7.parse(text).map(TicketId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
