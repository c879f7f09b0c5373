package dev.parley.budget;

import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneOffset;

/** How long a budget lasts, in UTC. The names are stored. */
public enum BudgetPeriod {
    DAY(Period.ofDays(1)),
    MONTH(Period.ofMonths(1));

    private final Period length;

    BudgetPeriod(Period length) {
        this.length = length;
    }

    /** The start of the period that includes a time. */
    Instant start(Instant at) {
        LocalDate day = day(at);
        return midnight(this == DAY ? day : day.withDayOfMonth(1));
    }

    /** The start of the next period. */
    Instant end(Instant at) {
        return midnight(day(start(at)).plus(length));
    }

    private static LocalDate day(Instant at) {
        return at.atOffset(ZoneOffset.UTC).toLocalDate();
    }

    private static Instant midnight(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }
}
