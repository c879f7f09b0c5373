package dev.parley.usage;

import java.time.Duration;
import java.util.Locale;

/** Hourly metrics of each organization. The names are stored in the table and must not change. */
public enum UsageMetric {
    MESSAGES_RECEIVED,
    MESSAGES_SENT,
    RUNS_COMPLETED,
    RUNS_FAILED,
    RUNS_CANCELLED,
    RUNS_TERMINATED,
    INPUT_TOKENS,
    OUTPUT_TOKENS,
    /** Millionths of the currency of the price settings. */
    COST_MICROS;

    /** Durations of runs are counted in buckets: this prefix is followed by the bucket's number. */
    static final String DURATION = "run_millis_";

    /** Bucket bounds grow by a tenth from 10 ms, so that a quantile is accurate to about a twentieth. */
    private static final double FIRST_MILLIS = 10;

    private static final double GROWTH = 1.1;
    static final int BUCKETS = 256;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The bucket of a duration: the first whose upper bound is not smaller. */
    static int bucket(Duration duration) {
        double steps = Math.log(Math.max(1, duration.toMillis()) / FIRST_MILLIS) / Math.log(GROWTH);
        return Math.clamp((long) Math.ceil(steps - 1e-9), 0, BUCKETS - 1);
    }

    /** The upper bound of a bucket, in milliseconds. */
    static double upperMillis(int bucket) {
        return FIRST_MILLIS * Math.pow(GROWTH, bucket);
    }
}
