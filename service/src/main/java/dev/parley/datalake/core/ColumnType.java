package dev.parley.datalake.core;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;

/** The values with which a filter may compare a column of a data lake. */
public enum ColumnType {
    NUMBER("a number, or a string that spells one"),
    BOOLEAN("true or false"),
    TEXT("a string"),
    MOMENT("a string with a date or an RFC 3339 timestamp"),
    /** Lists, structs and similar types: validated only when the comparison runs. */
    OTHER("");

    private static final Pattern NUMERIC = Pattern.compile("[A-Z]*INT(EGER)?|DECIMAL\\(.*\\)|DOUBLE|FLOAT|REAL");
    private static final int MAX_NUMBER_LENGTH = 400;

    private final String expected;

    ColumnType(String expected) {
        this.expected = expected;
    }

    /** @param engineType the table engine's name of the type, such as {@code DOUBLE} */
    public static ColumnType of(String engineType) {
        if (NUMERIC.matcher(engineType).matches()) {
            return NUMBER;
        }
        return switch (engineType) {
            case "BOOLEAN" -> BOOLEAN;
            case "VARCHAR" -> TEXT;
            case "DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE" ->
                MOMENT;
            default -> OTHER;
        };
    }

    /** The expected value, for error messages. */
    public String expected() {
        return expected;
    }

    /** Whether a value of a definition is valid, by the value rules. */
    public boolean accepts(Object value) {
        return switch (this) {
            case NUMBER -> value instanceof Number || (value instanceof String text && isNumber(text.strip()));
            case BOOLEAN -> value instanceof Boolean || value.equals("true") || value.equals("false");
            case TEXT -> value instanceof String;
            case MOMENT -> value instanceof String text && isMoment(text.strip().replace(' ', 'T'));
            case OTHER -> true;
        };
    }

    private static boolean isNumber(String text) {
        try {
            return text.length() <= MAX_NUMBER_LENGTH && new BigDecimal(text).scale() <= MAX_NUMBER_LENGTH;
        } catch (NumberFormatException _) {
            return false;
        }
    }

    private static boolean isMoment(String text) {
        try {
            if (text.length() <= 10) {
                return LocalDate.parse(text).getYear() >= 0;
            }
            boolean zoned = text.substring(10).matches(".*([Zz]|[+-][0-9:]+)");
            return (zoned ? OffsetDateTime.parse(text).toLocalDateTime() : LocalDateTime.parse(text)).getYear() >= 0;
        } catch (DateTimeException _) {
            return false;
        }
    }
}
