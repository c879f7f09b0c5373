package dev.parley.id;

import java.util.UUID;

/** An identifier: a UUID version 7, written as 32 lower-case hex digits without hyphens. */
public interface Id {
    UUID value();

    /** The 32 lower-case hex digits used in the API and in logs. */
    default String text() {
        return UuidV7.text(value());
    }
}
