package dev.parley.usage;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Aggregates usage by hour for up to two days, else by day. */
@Singleton
public final class UsageReport {
    private static final int MAX_HOURS_BY_HOUR = 48;
    private static final int MAX_WORKFLOWS = 10;

    private final UsageStore store;
    private final Clock clock;

    UsageReport(Database database, Clock clock) {
        this.store = database.statements(UsageStore.class);
        this.clock = clock;
    }

    /** The organization's usage in the last {@code hours} hours, including the current one; days start as in the zone. */
    public UsageSummary of(OrganizationId organization, int hours, ZoneId zone) {
        boolean isHourly = hours <= MAX_HOURS_BY_HOUR;
        ChronoUnit unit = isHourly ? ChronoUnit.HOURS : ChronoUnit.DAYS;
        Instant now = clock.instant();
        ZonedDateTime first = now.minus(Duration.ofHours(hours - 1L))
                // Usage is counted by the hour of UTC, also where local hours start between these.
                .atZone(isHourly ? ZoneOffset.UTC : zone)
                .truncatedTo(unit);
        List<Instant> steps = Stream.iterate(first, step -> step.plus(1, unit))
                .map(ZonedDateTime::toInstant)
                .takeWhile(step -> !step.isAfter(now))
                .toList();
        Instant before = first.minus(steps.size(), unit).toInstant();
        List<Map<String, Long>> byStep = Stream.<Map<String, Long>>generate(HashMap::new)
                .limit(steps.size() + 1L)
                .toList();
        Map<String, Long> total = new HashMap<>();
        for (UsageStore.UsageSum sum : store.sums(organization, before, steps)) {
            byStep.get(sum.step()).put(sum.metric(), sum.value());
            if (sum.step() > 0) {
                total.merge(sum.metric(), sum.value(), Long::sum);
            }
        }
        List<UsageSummary.Bucket> series = new ArrayList<>();
        for (int step = 0; step < steps.size(); step++) {
            series.add(new UsageSummary.Bucket(steps.get(step), numbers(byStep.get(step + 1))));
        }
        return new UsageSummary(
                isHourly ? "hour" : "day",
                numbers(total),
                numbers(byStep.getFirst()),
                series,
                store.ofWorkflows(organization, first.toInstant(), MAX_WORKFLOWS));
    }

    private static UsageSummary.UsageNumbers numbers(Map<String, Long> counts) {
        return new UsageSummary.UsageNumbers(
                of(counts, UsageMetric.MESSAGES_RECEIVED),
                of(counts, UsageMetric.MESSAGES_SENT),
                of(counts, UsageMetric.RUNS_COMPLETED),
                of(counts, UsageMetric.RUNS_FAILED),
                of(counts, UsageMetric.RUNS_CANCELLED),
                of(counts, UsageMetric.RUNS_TERMINATED),
                of(counts, UsageMetric.INPUT_TOKENS),
                of(counts, UsageMetric.OUTPUT_TOKENS),
                of(counts, UsageMetric.COST_MICROS),
                quantile(counts, 0.5),
                quantile(counts, 0.95));
    }

    private static long of(Map<String, Long> counts, UsageMetric metric) {
        return counts.getOrDefault(metric.text(), 0L);
    }

    /** The quantile, as if the durations in its bucket were evenly spread. */
    static @Nullable Long quantile(Map<String, Long> counts, double quantile) {
        long all = 0;
        for (int bucket = 0; bucket < UsageMetric.BUCKETS; bucket++) {
            all += counts.getOrDefault(UsageMetric.DURATION + bucket, 0L);
        }
        long below = 0;
        for (int bucket = 0; bucket < UsageMetric.BUCKETS; bucket++) {
            long within = counts.getOrDefault(UsageMetric.DURATION + bucket, 0L);
            if (within > 0 && below + within >= quantile * all) {
                double lower = bucket == 0 ? 0 : UsageMetric.upperMillis(bucket - 1);
                double share = (quantile * all - below) / within;
                return Math.round(lower + share * (UsageMetric.upperMillis(bucket) - lower));
            }
            below += within;
        }
        return null;
    }
}
