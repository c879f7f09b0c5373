package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Id of a stored response of OpenAI's dialect. */
public record ResponseId(UUID value) implements Id {
    private static final String PREFIX = "resp_";

    public static Optional<ResponseId> parse(String text) {
        return text.startsWith(PREFIX)
                ? UuidV7.parse(text.substring(PREFIX.length())).map(ResponseId::new)
                : Optional.empty();
    }

    /** The id as clients see it. */
    public String name() {
        return PREFIX + UuidV7.text(value);
    }

    @Override
    public String toString() {
        return name();
    }
}
