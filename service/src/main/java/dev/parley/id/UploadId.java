package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies a file; the id is part of its path. */
public record UploadId(UUID value) implements Id {
    public static UploadId next() {
        return new UploadId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<UploadId> parse(String text) {
        return UuidV7.parse(text).map(UploadId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
