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

/** Sums up what was counted, by the hour for two days at most, else by the day. */
@Singleton
public final class UsageReport {
    private static final int MOST_HOURLY = 48;

    private final UsageStore store;
    private final Clock clock;

    UsageReport(UsageStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** What the organization used in the last {@code hours} hours, the present one included. */
    public Usage of(OrganizationId organization, int hours) {
        ChronoUnit unit = hours <= MOST_HOURLY ? ChronoUnit.HOURS : ChronoUnit.DAYS;
        Instant now = clock.instant();
        Instant first = now.minus(Duration.ofHours(hours - 1L)).truncatedTo(unit);
        Map<Instant, Map<String, Long>> byStep = new HashMap<>();
        Map<String, Long> total = new HashMap<>();
        for (UsageStore.Count count : store.since(organization, first)) {
            byStep.computeIfAbsent(count.hour().truncatedTo(unit), _ -> new HashMap<>())
                    .merge(count.metric(), count.value(), Long::sum);
            total.merge(count.metric(), count.value(), Long::sum);
        }
        List<Usage.Bucket> series = new ArrayList<>();
        for (Instant step = first; !step.isAfter(now); step = step.plus(1, unit)) {
            series.add(new Usage.Bucket(step, numbers(byStep.getOrDefault(step, Map.of()))));
        }
        return new Usage(unit == ChronoUnit.HOURS ? "hour" : "day", numbers(total), series);
    }

    private static Usage.Numbers numbers(Map<String, Long> counts) {
        return new Usage.Numbers(
                of(counts, Metric.MESSAGES_RECEIVED),
                of(counts, Metric.MESSAGES_SENT),
                of(counts, Metric.RUNS_COMPLETED),
                of(counts, Metric.RUNS_FAILED),
                of(counts, Metric.RUNS_CANCELLED),
                of(counts, Metric.RUNS_TERMINATED),
                of(counts, Metric.INPUT_TOKENS),
                of(counts, Metric.OUTPUT_TOKENS),
                of(counts, Metric.COST_MICROS),
                quantile(counts, 0.5),
                quantile(counts, 0.95));
    }

    private static long of(Map<String, Long> counts, Metric metric) {
        return counts.getOrDefault(metric.text(), 0L);
    }

    /** The upper bound of the bucket in which the quantile lies. */
    static @Nullable Long quantile(Map<String, Long> counts, double quantile) {
        long all = 0;
        for (int bucket = 0; bucket < Metric.BUCKETS; bucket++) {
            all += counts.getOrDefault(Metric.DURATION + bucket, 0L);
        }
        long below = 0;
        for (int bucket = 0; bucket < Metric.BUCKETS; bucket++) {
            below += counts.getOrDefault(Metric.DURATION + bucket, 0L);
            if (all > 0 && below >= quantile * all) {
                return Math.round(Metric.upperMillis(bucket));
            }
        }
        return null;
    }
}
