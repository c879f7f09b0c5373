package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies a user of the dashboard. */
public record UserId(UUID value) implements Id {
    public static UserId next() {
        return new UserId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<UserId> parse(String text) {
        return UuidV7.parse(text).map(UserId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
