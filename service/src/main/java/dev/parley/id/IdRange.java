package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/**
 * The ids that begin with the same hex digits. An index on the id serves a range, unlike a prefix of its text.
 *
 * @param from the smallest
 * @param to the greatest
 */
public record IdRange(UUID from, UUID to) {
    /** Fewer digits cover more than a minute. */
    private static final int MIN_DIGITS = 8;

    private static final int DIGITS = 32;

    /** The ids with this beginning, with or without hyphens; empty if the text is not a part of an id. */
    public static Optional<IdRange> ofPrefix(String text) {
        String digits = text.replace("-", "");
        int missing = DIGITS - digits.length();
        if (digits.length() < MIN_DIGITS || missing < 0) {
            return Optional.empty();
        }
        return UuidV7.parse(digits + "0".repeat(missing))
                .flatMap(from -> UuidV7.parse(digits + "f".repeat(missing)).map(to -> new IdRange(from, to)));
    }
}
