package dev.parley.workflow.definition.core.value;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** DATETIME values: RFC 3339 timestamps in the API's format, UTC with milliseconds and Z. */
final class DateTimes {
    private static final Pattern RFC_3339 =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:[Zz]|[+-]\\d\\d:\\d\\d)");
    private static final DateTimeFormatter WRITTEN =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT);
    private static final int LAST_YEAR = 9999;

    private DateTimes() {}

    /** The same instant in UTC, truncated to milliseconds, or null if the text is no timestamp with a zone. */
    static @Nullable String normal(String text) {
        if (!RFC_3339.matcher(text).matches()) {
            return null;
        }
        try {
            OffsetDateTime utc = OffsetDateTime.parse(
                            text.toUpperCase(Locale.ROOT).replace(' ', 'T'))
                    .withOffsetSameInstant(ZoneOffset.UTC);
            return utc.getYear() >= 0 && utc.getYear() <= LAST_YEAR ? WRITTEN.format(utc) : null;
        } catch (DateTimeException noSuchDay) {
            return null;
        }
    }
}
