package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies a session of a user. */
public record SessionId(UUID value) implements Id {
    public static SessionId next() {
        return new SessionId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<SessionId> parse(String text) {
        return UuidV7.parse(text).map(SessionId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
