package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies an API key; never the key itself. */
public record ApiKeyId(UUID value) implements Id {
    public static ApiKeyId next() {
        return new ApiKeyId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<ApiKeyId> parse(String text) {
        return UuidV7.parse(text).map(ApiKeyId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
