package dev.parley.reader.table;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A type that a person chose for a column. Values that do not spell it are refused, never guessed. */
enum ChosenType {
    TEXT(ColumnProfile.TEXT_TYPE, "is not text"),
    NUMBER("DOUBLE", "is not a number, or has more digits than a number keeps"),
    NUMBER_COMMA("DOUBLE", "is not a number with a decimal comma, or has more digits than a number keeps"),
    BOOLEAN("BOOLEAN", "is neither true nor false"),
    DATE("DATE", "is not a date with the year first"),
    DATE_DAY_FIRST("DATE", "is not a date with the day first"),
    DATE_MONTH_FIRST("DATE", "is not a date with the month first"),
    TIMESTAMP("TIMESTAMP", "is not a date and time such as 2026-01-31 10:30");

    private static final Pattern NUMBERS =
            Pattern.compile("[+-]?(?:\\d{1,3}(?:[,'’\\u00a0\\u202f ]\\d{3})+|\\d*)(?:\\.\\d*)?(?:[eE][+-]?\\d{1,3})?");
    private static final Pattern PARTS = Pattern.compile("(\\d{1,4})[/. -](\\d{1,2})[/. -](\\d{1,4})");
    private static final DateTimeFormatter TIMESTAMPS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);

    private final String emptyType;
    private final String refusal;

    ChosenType(String emptyType, String refusal) {
        this.emptyType = emptyType;
        this.refusal = refusal;
    }

    /** The type of a column without values. */
    String emptyType() {
        return emptyType;
    }

    String refusal() {
        return refusal;
    }

    /** The value in the form that the type keeps; null if it does not spell one. */
    @Nullable
    String convert(String text) {
        String value = text.strip();
        return switch (this) {
            case TEXT -> text;
            case NUMBER -> number(value);
            case NUMBER_COMMA ->
                value.matches("[^.]*|[+-]?[1-9]\\d{0,2}(?:\\.\\d{3})+(?:,\\d*)?")
                        ? number(value.replace(".", "").replace(',', '.'))
                        : null;
            case BOOLEAN ->
                switch (value.toLowerCase(Locale.ROOT)) {
                    case "true", "yes", "y", "on", "1", "t" -> "true";
                    case "false", "no", "n", "off", "0", "f" -> "false";
                    default -> null;
                };
            case DATE -> date(value, 1, 2, 3);
            case DATE_DAY_FIRST -> date(value, 3, 2, 1);
            case DATE_MONTH_FIRST -> date(value, 3, 1, 2);
            case TIMESTAMP -> timestamp(value);
        };
    }

    /** The kind of a converted value; null if the type does not keep it. */
    @Nullable
    ValueKind kind(String value) {
        if (this == TEXT) {
            return ValueKind.TEXT;
        }
        ValueKind kind = ValueKind.of(value);
        return switch (kind) {
            case INTEGER, DECIMAL, BOOLEAN, DATE, TIMESTAMP -> kind;
            default -> null;
        };
    }

    private static @Nullable String number(String text) {
        if (!NUMBERS.matcher(text).matches()) {
            return null;
        }
        try {
            BigDecimal number = new BigDecimal(text.replaceAll("[,'’\\u00a0\\u202f ]", ""));
            return (number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros()).toPlainString();
        } catch (NumberFormatException _) {
            return null;
        }
    }

    private static @Nullable String date(String text, int year, int month, int day) {
        Matcher parts = PARTS.matcher(text);
        if (!parts.matches()
                || parts.group(year).length() != 4
                || !ValueKind.isDate(parts.group(year), parts.group(month), parts.group(day))) {
            return null;
        }
        return "%s-%02d-%02d"
                .formatted(parts.group(year), Integer.parseInt(parts.group(month)), Integer.parseInt(parts.group(day)));
    }

    private static @Nullable String timestamp(String text) {
        try {
            String iso = text.length() == 10
                    ? text + "T00:00"
                    : text.replaceFirst(" ", "T").replace(" ", "");
            boolean isZoned = iso.matches(".*T.*(?:[Zz]|[+-][\\d:]+)");
            LocalDateTime moment = isZoned
                    ? OffsetDateTime.parse(iso)
                            .withOffsetSameInstant(ZoneOffset.UTC)
                            .toLocalDateTime()
                    : LocalDateTime.parse(iso);
            int micros = moment.get(ChronoField.MICRO_OF_SECOND);
            return moment.get(ChronoField.NANO_OF_SECOND) % 1_000 != 0
                    ? null
                    : TIMESTAMPS.format(moment) + (micros == 0 ? "" : ".%06d".formatted(micros));
        } catch (DateTimeException _) {
            return null;
        }
    }
}
