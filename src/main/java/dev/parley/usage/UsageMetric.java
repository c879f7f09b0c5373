package dev.parley.usage;

import java.time.Duration;
import java.util.Locale;

/** What is counted for each organization, by the hour. The names stand in the table and outlive versions. */
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

    /** How runs' durations are kept: the name before the number of their bucket. */
    static final String DURATION = "run_duration_";

    /** Buckets grow by the square root of two from 10 ms on, so that a quantile read from them is right to a fifth. */
    private static final double FIRST_MILLIS = 10;

    private static final double GROWTH = Math.sqrt(2);
    static final int BUCKETS = 64;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The bucket of a duration: the first whose upper bound is not below it. */
    static int bucket(Duration duration) {
        double steps = Math.log(Math.max(1, duration.toMillis()) / FIRST_MILLIS) / Math.log(GROWTH);
        return Math.clamp((long) Math.ceil(steps - 1e-9), 0, BUCKETS - 1);
    }

    /** The upper bound of a bucket, in milliseconds. */
    static double upperMillis(int bucket) {
        return FIRST_MILLIS * Math.pow(GROWTH, bucket);
    }
}
