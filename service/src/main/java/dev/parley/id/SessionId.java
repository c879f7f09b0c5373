package dev.parley.id;

import java.util.UUID;

/** Identifies a session of a user. */
public record SessionId(UUID value) implements Id {
    public static SessionId next() {
        return new SessionId(UuidV7.next());
    }

    @Override
    public String toString() {
        return text();
    }
}
