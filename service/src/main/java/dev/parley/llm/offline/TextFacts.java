package dev.parley.llm.offline;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Extracts numbers, times and negations from a text for the offline model. Scans only the first
 * {@link #MAX_SCANNED_CHARACTERS} characters.
 */
final class TextFacts {
    static final int MAX_SCANNED_CHARACTERS = 20_000;
    private static final int MAX_NUMBER_LENGTH = 30;

    /** Digits, commas between groups of three, and a fraction; not a part of a word, an id or a version number. */
    private static final Pattern NUMBER = Pattern.compile("(?:(?<![^ ])-|(?<![\\p{L}\\p{Nd}_.]))"
            + "([0-9]++(?:,[0-9]{3}(?![0-9]))*+(\\.[0-9]++)?+)(?![\\p{L}_]|\\.[0-9])");

    private static final Pattern NEGATION =
            Pattern.compile("(?i)(?<!\\p{L})(?:no|not|false|reject|rejected|deny|denied)(?!\\p{L})");
    private static final Pattern TIME = Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2})"
            + "([Tt][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]{1,9})?)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2}))?");

    private TextFacts() {}

    /** The first number without a fraction. */
    static Optional<BigDecimal> integer(String text) {
        return number(text, false);
    }

    /** The first number with a fraction. */
    static Optional<BigDecimal> decimal(String text) {
        return number(text, true);
    }

    private static Optional<BigDecimal> number(String text, boolean fraction) {
        return NUMBER.matcher(scanned(text))
                .results()
                .filter(found -> (found.group(2) != null) == fraction)
                .filter(found -> found.group(1).length() <= MAX_NUMBER_LENGTH)
                .map(found -> new BigDecimal(found.group().replace(",", "")))
                .findFirst();
    }

    /** Whether a word of the text is a negation. */
    static boolean isNegative(String text) {
        return NEGATION.matcher(scanned(text)).find();
    }

    /** The first RFC 3339 timestamp, or date (its midnight, UTC). */
    static Optional<Instant> time(String text) {
        Matcher found = TIME.matcher(scanned(text));
        for (boolean isFound = found.find(); isFound; isFound = found.find(found.start() + 1)) {
            Optional<Instant> time = found.group(2) == null ? Optional.empty() : timestamp(found.group());
            if (time.isPresent()) {
                return time;
            }
            try {
                LocalDate date = LocalDate.parse(found.group(1));
                return Optional.of(date.atStartOfDay(ZoneOffset.UTC).toInstant());
            } catch (DateTimeException _) {
                // The next one may exist.
            }
        }
        return Optional.empty();
    }

    private static Optional<Instant> timestamp(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    private static String scanned(String text) {
        return text.length() <= MAX_SCANNED_CHARACTERS ? text : text.substring(0, MAX_SCANNED_CHARACTERS);
    }

    /** RFC 3339 in UTC with milliseconds, as in the API. */
    static String rfc3339(Instant time) {
        String text = time.truncatedTo(ChronoUnit.MILLIS).toString();
        return text.length() == 20 ? text.substring(0, 19) + ".000Z" : text;
    }
}
