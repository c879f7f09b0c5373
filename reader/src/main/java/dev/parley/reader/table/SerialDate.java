package dev.parley.reader.table;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Spreadsheet dates and times: numbers of days since an epoch. */
final class SerialDate {
    private static final BigDecimal MILLIS_PER_DAY = BigDecimal.valueOf(86_400_000);
    private static final BigDecimal END = BigDecimal.valueOf(2_958_466); // the day after 9999-12-31
    private static final LocalDate EPOCH_1904 = LocalDate.of(1904, 1, 1);
    private static final LocalDate EPOCH_1900 = LocalDate.of(1899, 12, 30);
    /** The 1900 date system has a 29 February 1900, so earlier days are offset by one. */
    private static final int FIRST_CORRECT_DAY = 60;

    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    private SerialDate() {}

    static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }

    /**
     * The text of a number whose format shows a date or time. Lossless: a time of day that the format hides is
     * included. A number that is no date, such as a negative one, stays a number.
     *
     * @param utc whether a date with a time becomes an RFC 3339 timestamp in UTC; otherwise it has no zone
     */
    static String text(BigDecimal days, CellFormat format, boolean from1904, boolean utc) {
        if (days.signum() < 0 || days.compareTo(END) >= 0) {
            return plain(days);
        }
        long millis =
                days.multiply(MILLIS_PER_DAY).setScale(0, RoundingMode.HALF_UP).longValueExact();
        if (format == CellFormat.DURATION) {
            return duration(millis);
        }
        long day = millis / MILLIS_PER_DAY.longValueExact();
        LocalTime time = LocalTime.ofNanoOfDay(millis % MILLIS_PER_DAY.longValueExact() * 1_000_000);
        // The 1900 date system has no day 0.
        boolean noDate = format == CellFormat.TIME || (!from1904 && !time.equals(LocalTime.MIDNIGHT));
        if (day == 0 && noDate) {
            return clock(millis, time);
        }
        LocalDateTime moment = date(day, from1904).atTime(time);
        if (format == CellFormat.DATE && time.equals(LocalTime.MIDNIGHT)) {
            return moment.toLocalDate().toString();
        }
        return moment.toLocalDate() + "T" + MILLIS.format(moment) + (utc ? "Z" : "");
    }

    private static LocalDate date(long day, boolean from1904) {
        if (from1904) {
            return EPOCH_1904.plusDays(day);
        }
        return EPOCH_1900.plusDays(day < FIRST_CORRECT_DAY ? day + 1 : day);
    }

    private static String duration(long millis) {
        LocalTime rest = LocalTime.ofNanoOfDay(millis % 3_600_000 * 1_000_000);
        return String.format(Locale.ROOT, "%02d", millis / 3_600_000)
                + clock(millis, rest).substring(2);
    }

    private static String clock(long millis, LocalTime time) {
        return (millis % 1_000 == 0 ? SECONDS : MILLIS).format(time);
    }
}
