package dev.parley.tool.source;

import java.time.Duration;

/** A deadline on the machine's monotonic clock. */
public record Deadline(long nanos) {
    public static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** The remaining time; at least a millisecond. */
    public Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, nanos - System.nanoTime()));
    }
}
