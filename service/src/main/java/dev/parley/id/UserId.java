package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies a user of the dashboard. */
public record UserId(UUID value) implements Id {
    private static final String AUTHOR = "user:";

    public static UserId next() {
        return new UserId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<UserId> parse(String text) {
        return UuidV7.parse(text).map(UserId::new);
    }

    /** Reads the {@code created_by} of what a user made; that of anyone else is empty. */
    public static Optional<UserId> ofAuthor(String createdBy) {
        return createdBy.startsWith(AUTHOR) ? parse(createdBy.substring(AUTHOR.length())) : Optional.empty();
    }

    @Override
    public String toString() {
        return text();
    }
}
