package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies an API key; never the key itself. */
public record ApiKeyId(UUID value) implements Id {
    private static final String AUTHOR = "api_key:";

    public static ApiKeyId next() {
        return new ApiKeyId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<ApiKeyId> parse(String text) {
        return UuidV7.parse(text).map(ApiKeyId::new);
    }

    /** Reads the {@code created_by} of what a key made; that of anyone else is empty. */
    public static Optional<ApiKeyId> ofAuthor(String createdBy) {
        return createdBy.startsWith(AUTHOR) ? parse(createdBy.substring(AUTHOR.length())) : Optional.empty();
    }

    @Override
    public String toString() {
        return text();
    }
}
