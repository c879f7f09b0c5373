package dev.parley.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Times as the API writes and reads them: UTC, RFC 3339 with milliseconds and {@code Z} (DECISIONS 1). */
public final class Times {
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Times() {}

    public static String text(Instant time) {
        return MILLIS.format(time);
    }

    /** Reads an RFC 3339 time with an offset, from the years that PostgreSQL and the format above can hold. */
    public static Optional<Instant> parse(String text) {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text);
            return time.getYear() >= 1 && time.getYear() <= 9999 ? Optional.of(time.toInstant()) : Optional.empty();
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
