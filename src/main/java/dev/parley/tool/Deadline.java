package dev.parley.tool;

import java.time.Duration;

/** A moment by the machine's own clock, until which something must be done. */
public record Deadline(long nanos) {
    public static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** What is left; never less than a millisecond. */
    public Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, nanos - System.nanoTime()));
    }
}
