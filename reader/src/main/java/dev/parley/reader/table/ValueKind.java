package dev.parley.reader.table;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a value of a table spells. A value has the kind of a type only if the type keeps it exactly: written again, it
 * has the same text, trailing zeros of decimals aside. The words complete the sentence "'007' …".
 */
enum ValueKind {
    INTEGER("is a whole number"),
    DECIMAL("is a number"),
    BOOLEAN("is true or false"),
    DATE("is a date"),
    TIME("is a time of day"),
    TIMESTAMP("is a date and time"),
    UTC_TIMESTAMP("is a date and time in UTC"),
    DAY_FIRST("is a date with the day first"),
    MONTH_FIRST("is a date with the month first"),
    EITHER_FIRST("is a date whose day and month cannot be told apart"),
    YEAR_FIRST("is a date with the year first"),
    /** A text without characters in quotation marks, as opposed to no value. */
    EMPTY("is empty"),
    TEXT("is text"),
    LEADING_ZERO("has a leading zero"),
    PLUS_SIGN("has a plus sign"),
    EXPONENT("has an exponent"),
    LONG_NUMBER("has more digits than a number keeps"),
    CODE_NUMBER("is a number as programs write it"),
    SEPARATED("has a comma, a point or a space that may separate thousands or decimals"),
    PERCENT("is a percentage"),
    CURRENCY("has a currency"),
    NOT_FINITE("is no finite number"),
    OTHER_NUMBER("is a number in another form"),
    OTHER_BOOLEAN("is neither true nor false in small letters"),
    SHORT_YEAR("has a year of two digits"),
    OFFSET("has a time zone other than UTC"),
    SHORT_TIME("has a time without seconds"),
    FINE_TIME("has fractions of a second that a timestamp does not keep"),
    LOCAL_TIMESTAMP("is a date and time in another form than 2026-01-31 10:30:00"),
    NO_DATE("is a date that does not exist"),
    ERROR("is an error of the workbook");

    private static final int EXACT_DIGITS = 15;
    private static final int MAX_NUMBER_LENGTH = 60;
    private static final int MAX_LENGTH = 40;

    /** Beyond it JavaScript, JSON and spreadsheets change whole numbers. */
    private static final long MAX_INTEGER = (1L << 53) - 1;

    private static final Pattern ISO = Pattern.compile("(\\d{4})-(\\d{2})-(\\d{2})"
            + "(?:[T ](?:[01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(?:[.,](\\d+))?)?( ?(?:Z|[+-]\\d{2}(?::?\\d{2})?))?)?");
    private static final Pattern CLOCK = Pattern.compile("(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?");
    private static final Pattern THREE_PARTS = Pattern.compile("(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4})");
    private static final Pattern SLASHES = Pattern.compile("(\\d{4})/(\\d{1,2})/(\\d{1,2})");

    private static final Map<Pattern, ValueKind> SIMILAR = similar();

    private final String words;

    ValueKind(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    private static Map<Pattern, ValueKind> similar() {
        Map<Pattern, ValueKind> similar = new LinkedHashMap<>();
        similar.put(Pattern.compile("(?i)true|false|yes|no|y|n|on|off|ja|nein|oui|non|wahr|falsch"), OTHER_BOOLEAN);
        similar.put(Pattern.compile("(?i)[+-]?(?:nan|inf|infinity)"), NOT_FINITE);
        similar.put(
                Pattern.compile("(?i)[+-]?0(?:x[0-9a-f]+|b[01]+|o[0-7]+)|[+-]?\\d+(?:_\\d+)+|\\d+[lLfFdDn]"),
                CODE_NUMBER);
        similar.put(Pattern.compile("[+-]?\\d*\\.?\\d+\\.?[eE][+-]?\\d+"), EXPONENT);
        similar.put(Pattern.compile("\\+\\d.*"), PLUS_SIGN);
        similar.put(Pattern.compile("[+-]?[\\d.,]+ ?%"), PERCENT);
        similar.put(
                Pattern.compile("[+-]?(?:\\p{Sc}|[A-Z]{3} ) ?[\\d.,']+|[+-]?[\\d.,']+ ?(?:\\p{Sc}| [A-Z]{3})"),
                CURRENCY);
        similar.put(Pattern.compile("\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{2}"), SHORT_YEAR);
        similar.put(Pattern.compile("\\d{1,2}:\\d{2}(?: ?[AaPp][Mm])?"), SHORT_TIME);
        similar.put(Pattern.compile("\\d{1,4}[/.-]\\d{1,2}[/.-]\\d{1,4},?[T ]+\\d{1,2}:\\d{2}.*"), LOCAL_TIMESTAMP);
        similar.put(
                Pattern.compile("[+-]?\\d{1,3}(?:[,.'’\\u00a0\\u202f ]\\d{3})+(?:[.,]\\d+)?|[+-]?\\d+,\\d+"),
                SEPARATED);
        similar.put(Pattern.compile("(?=.*\\d)\\s*[+-]?\\d*[.,]?\\d*[+-]?\\s*|\\(\\d[\\d.,]*\\)"), OTHER_NUMBER);
        return similar;
    }

    /** The kind of a text that has at least one character. */
    static ValueKind of(String text) {
        char first = text.charAt(0);
        boolean startsWithDigit = first >= '0' && first <= '9';
        if (startsWithDigit || first == '-') {
            ValueKind number = number(text);
            if (number != null) {
                return number;
            }
        }
        if (text.equals("true") || text.equals("false")) {
            return BOOLEAN;
        }
        if (text.length() > MAX_LENGTH) {
            return TEXT;
        }
        ValueKind moment = startsWithDigit ? moment(text) : null;
        return moment == null ? similarTo(text) : moment;
    }

    /** The kind of a text in digits with at most one point; null for other texts. */
    private static @Nullable ValueKind number(String text) {
        int start = text.charAt(0) == '-' ? 1 : 0;
        int point = -1;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' && point < 0) {
                point = i;
            } else if (c < '0' || c > '9') {
                return null;
            }
        }
        int end = point < 0 ? text.length() : point;
        if (end == start || point == text.length() - 1) {
            return null;
        }
        if (text.charAt(start) == '0' && end - start > 1) {
            return LEADING_ZERO;
        }
        if (point >= 0) {
            return isExact(text) ? DECIMAL : LONG_NUMBER;
        }
        if (text.equals("-0")) {
            return OTHER_NUMBER;
        }
        boolean isLong = text.length() > 17 || Math.abs(Long.parseLong(text)) > MAX_INTEGER;
        return isLong ? LONG_NUMBER : INTEGER;
    }

    /** Whether a double has exactly this value when it is written with the digits that identify it. */
    static boolean isExact(String number) {
        if (number.length() <= EXACT_DIGITS) {
            return true;
        }
        double value = Double.parseDouble(number);
        return number.length() <= MAX_NUMBER_LENGTH
                && Double.isFinite(value)
                && new BigDecimal(number).compareTo(new BigDecimal(Double.toString(value))) == 0;
    }

    private static @Nullable ValueKind moment(String text) {
        Matcher iso = ISO.matcher(text);
        if (iso.matches()) {
            if (!isDate(iso.group(1), iso.group(2), iso.group(3))) {
                return NO_DATE;
            }
            if (text.length() == 10) {
                return DATE;
            }
            return timestamp(iso);
        }
        if (CLOCK.matcher(text).matches()) {
            return TIME;
        }
        Matcher slashes = SLASHES.matcher(text);
        if (slashes.matches()) {
            return isDate(slashes.group(1), slashes.group(2), slashes.group(3)) ? YEAR_FIRST : NO_DATE;
        }
        Matcher parts = THREE_PARTS.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        boolean isDayFirst = isDate(parts.group(4), parts.group(3), parts.group(1));
        boolean isMonthFirst = isDate(parts.group(4), parts.group(1), parts.group(3));
        if (isDayFirst && isMonthFirst) {
            return EITHER_FIRST;
        }
        return isDayFirst ? DAY_FIRST : isMonthFirst ? MONTH_FIRST : NO_DATE;
    }

    private static ValueKind timestamp(Matcher iso) {
        String seconds = iso.group(4);
        String zone = iso.group(6);
        if (zone != null && !zone.equals("Z") && !zone.equals("+00:00")) {
            return OFFSET;
        }
        if (seconds == null) {
            return SHORT_TIME;
        }
        if (seconds.indexOf(',') >= 0) {
            return LOCAL_TIMESTAMP;
        }
        String fraction = iso.group(5);
        if (fraction != null && fraction.length() > 6) {
            return FINE_TIME;
        }
        return zone == null ? TIMESTAMP : UTC_TIMESTAMP;
    }

    static boolean isDate(String year, String month, String day) {
        try {
            return LocalDate.of(Integer.parseInt(year), Integer.parseInt(month), Integer.parseInt(day))
                            .getYear()
                    > 0;
        } catch (DateTimeException _) {
            return false;
        }
    }

    private static ValueKind similarTo(String text) {
        for (Map.Entry<Pattern, ValueKind> similar : SIMILAR.entrySet()) {
            if (similar.getKey().matcher(text).matches()) {
                return similar.getValue();
            }
        }
        return TEXT;
    }
}
