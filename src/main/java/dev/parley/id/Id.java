package dev.parley.id;

import java.util.UUID;

/** An identifier: a UUID version 7, written as 32 lower-case hex digits without hyphens. */
public interface Id {
    UUID value();

    /** The 32 lower-case hex digits in which the API and the logs write this id. */
    default String text() {
        return UuidV7.text(value());
    }
}
