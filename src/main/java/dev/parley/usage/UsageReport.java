package dev.parley.usage;

import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Aggregates usage by hour for up to two days, else by day. */
@Singleton
public final class UsageReport {
    private static final int MAX_HOURS_BY_HOUR = 48;

    private final UsageStore store;
    private final Clock clock;

    UsageReport(UsageStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** The organization's usage in the last {@code hours} hours, including the current one. */
    public UsageSummary of(OrganizationId organization, int hours) {
        ChronoUnit unit = hours <= MAX_HOURS_BY_HOUR ? ChronoUnit.HOURS : ChronoUnit.DAYS;
        Instant now = clock.instant();
        Instant first = now.minus(Duration.ofHours(hours - 1L)).truncatedTo(unit);
        Map<Instant, Map<String, Long>> byStep = new HashMap<>();
        Map<String, Long> total = new HashMap<>();
        Map<String, Long> previous = new HashMap<>();
        Instant before =
                first.minus(Duration.between(first, now.truncatedTo(unit).plus(1, unit)));
        for (UsageStore.UsageSum sum : store.sums(organization, before, first, unit)) {
            if (sum.step() == null) {
                previous.put(sum.metric(), sum.value());
            } else {
                byStep.computeIfAbsent(sum.step(), _ -> new HashMap<>()).put(sum.metric(), sum.value());
                total.merge(sum.metric(), sum.value(), Long::sum);
            }
        }
        List<UsageSummary.Bucket> series = new ArrayList<>();
        for (Instant step = first; !step.isAfter(now); step = step.plus(1, unit)) {
            series.add(new UsageSummary.Bucket(step, numbers(byStep.getOrDefault(step, Map.of()))));
        }
        return new UsageSummary(unit == ChronoUnit.HOURS ? "hour" : "day", numbers(total), numbers(previous), series);
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

    /** The upper bound of the bucket that contains the quantile. */
    static @Nullable Long quantile(Map<String, Long> counts, double quantile) {
        long all = 0;
        for (int bucket = 0; bucket < UsageMetric.BUCKETS; bucket++) {
            all += counts.getOrDefault(UsageMetric.DURATION + bucket, 0L);
        }
        long below = 0;
        for (int bucket = 0; bucket < UsageMetric.BUCKETS; bucket++) {
            below += counts.getOrDefault(UsageMetric.DURATION + bucket, 0L);
            if (all > 0 && below >= quantile * all) {
                return Math.round(UsageMetric.upperMillis(bucket));
            }
        }
        return null;
    }
}
