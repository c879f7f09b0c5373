package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies a data lake: a table of an organization that workflows read. */
public record DataLakeId(UUID value) implements Id {
    public static DataLakeId next() {
        return new DataLakeId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<DataLakeId> parse(String text) {
        return UuidV7.parse(text).map(DataLakeId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
