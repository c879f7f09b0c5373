package dev.parley.http.json;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Times in the API's format: RFC 3339 in UTC with milliseconds and {@code Z}. */
public final class Rfc3339 {
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final byte[] TEMPLATE = "0000-00-00T00:00:00.000Z".getBytes(StandardCharsets.ISO_8859_1);

    private static final int DATE_LENGTH = "2026-01-31".length();

    private Rfc3339() {}

    /** Formatted by hand for four-digit years, because every message has three times. */
    public static String text(Instant time) {
        LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
        int year = utc.getYear();
        if (year < 1000 || year > 9999) {
            return MILLIS.format(time);
        }
        byte[] text = TEMPLATE.clone();
        digits(text, 0, 4, year);
        digits(text, 5, 2, utc.getMonthValue());
        digits(text, 8, 2, utc.getDayOfMonth());
        digits(text, 11, 2, utc.getHour());
        digits(text, 14, 2, utc.getMinute());
        digits(text, 17, 2, utc.getSecond());
        digits(text, 20, 3, utc.getNano() / 1_000_000);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private static void digits(byte[] text, int at, int count, int number) {
        int left = number;
        for (int i = at + count - 1; i >= at; i--) {
            text[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
    }

    /** Parses an RFC 3339 time, or a date, which means its last millisecond in UTC. */
    public static Optional<Instant> parseEnd(String text) {
        if (text.length() != DATE_LENGTH) {
            return parse(text);
        }
        return parse(text + "T23:59:59.999Z");
    }

    /** Parses an RFC 3339 time with an offset, limited to the years that PostgreSQL and this format support. */
    public static Optional<Instant> parse(String text) {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text);
            return time.getYear() >= 1 && time.getYear() <= 9999 ? Optional.of(time.toInstant()) : Optional.empty();
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
