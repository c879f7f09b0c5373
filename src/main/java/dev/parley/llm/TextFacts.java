package dev.parley.llm;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Extracts numbers, times and negations from a text for the offline model. Scans by hand, because it runs on a
 * benchmarked path, and only the first {@link #MAX_SCANNED_CHARACTERS} characters.
 */
final class TextFacts {
    static final int MAX_SCANNED_CHARACTERS = 20_000;
    private static final int MAX_NUMBER_LENGTH = 30;
    private static final Set<String> NEGATIONS = Set.of("no", "not", "false", "reject", "rejected", "deny", "denied");

    private TextFacts() {}

    /** The first number without a fraction. */
    static Optional<BigDecimal> integer(String text) {
        return number(text, false);
    }

    /** The first number with a fraction. */
    static Optional<BigDecimal> decimal(String text) {
        return number(text, true);
    }

    /** Whether a word of the text is a negation. */
    static boolean isNegative(String text) {
        int limit = Math.min(text.length(), MAX_SCANNED_CHARACTERS);
        int start = -1;
        for (int i = 0; i <= limit; i++) {
            boolean letter = i < limit && Character.isLetter(text.charAt(i));
            if (letter && start < 0) {
                start = i;
            } else if (!letter && start >= 0) {
                if (i - start <= 8
                        && NEGATIONS.contains(text.substring(start, i).toLowerCase(Locale.ROOT))) {
                    return true;
                }
                start = -1;
            }
        }
        return false;
    }

    /** The first RFC 3339 timestamp, or date (its midnight, UTC). */
    static Optional<Instant> time(String text) {
        int limit = Math.min(text.length(), MAX_SCANNED_CHARACTERS);
        for (int i = text.indexOf('-'); i >= 0 && i < limit; i = text.indexOf('-', i + 1)) {
            int start = i - 4;
            if (start >= 0 && start + 10 <= text.length() && text.charAt(start + 7) == '-') {
                Optional<Instant> found = timeAt(text, start);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Instant> timeAt(String text, int start) {
        for (int i = 0; i < 10; i++) {
            if (i != 4 && i != 7 && !isDigit(text, start + i)) {
                return Optional.empty();
            }
        }
        Instant midnight;
        try {
            LocalDate date = LocalDate.parse(text.substring(start, start + 10));
            midnight = date.atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeException noDate) {
            return Optional.empty();
        }
        int end = start + 10;
        while (end < text.length() && end < start + 40 && "0123456789:.TtZz+-".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        for (; end > start + 16; end--) { // without trailing punctuation
            Optional<Instant> found = timestamp(text.substring(start, end));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.of(midnight);
    }

    private static Optional<Instant> timestamp(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException noTimestamp) {
            return Optional.empty();
        }
    }

    /** RFC 3339 in UTC with milliseconds, as in the API. */
    static String rfc3339(Instant time) {
        String text = time.truncatedTo(ChronoUnit.MILLIS).toString();
        return text.length() == 20 ? text.substring(0, 19) + ".000Z" : text;
    }

    private static Optional<BigDecimal> number(String text, boolean fraction) {
        int limit = Math.min(text.length(), MAX_SCANNED_CHARACTERS);
        int i = 0;
        while (i < limit) {
            if (!isDigit(text, i)) {
                i++;
                continue;
            }
            int end = numberEnd(text, i);
            boolean hasFraction = text.indexOf('.', i, end) >= 0;
            if (hasFraction == fraction && isSeparateNumber(text, i, end)) {
                boolean negative = i > 0 && text.charAt(i - 1) == '-' && (i == 1 || text.charAt(i - 2) == ' ');
                String digits = text.substring(negative ? i - 1 : i, end).replace(",", "");
                return Optional.of(new BigDecimal(digits));
            }
            i = end;
            while (i < limit && (Character.isLetterOrDigit(text.charAt(i)) || text.charAt(i) == '_')) {
                i++;
            }
        }
        return Optional.empty();
    }

    /** The end of a number: digits, commas between groups of three, and a fraction. */
    private static int numberEnd(String text, int start) {
        int end = start;
        while (isDigit(text, end)) {
            end++;
        }
        while (end - start <= 15 && end < text.length() && text.charAt(end) == ',' && isGroup(text, end + 1)) {
            end += 4;
        }
        if (end < text.length() && text.charAt(end) == '.' && isDigit(text, end + 1)) {
            end++;
            while (isDigit(text, end)) {
                end++;
            }
        }
        return end;
    }

    private static boolean isGroup(String text, int at) {
        return isDigit(text, at) && isDigit(text, at + 1) && isDigit(text, at + 2) && !isDigit(text, at + 3);
    }

    /** Whether the digits are not part of a word, an id or a version number. */
    private static boolean isSeparateNumber(String text, int start, int end) {
        boolean before = start == 0
                || !(Character.isLetterOrDigit(text.charAt(start - 1))
                        || text.charAt(start - 1) == '_'
                        || text.charAt(start - 1) == '.');
        boolean after = end == text.length()
                || !(Character.isLetter(text.charAt(end))
                        || text.charAt(end) == '_'
                        || (text.charAt(end) == '.' && isDigit(text, end + 1)));
        return before && after && end - start <= MAX_NUMBER_LENGTH;
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
}
