package dev.parley.document;

import java.time.Duration;

/**
 * How long a reader may take.
 *
 * @param cpuTime after which it is killed, by fault of the document
 * @param permitTime for the wait until it may start
 * @param wallTime from its start, after which the work is retried later
 */
public record ReaderLimits(Duration cpuTime, Duration permitTime, Duration wallTime) {
    /** A busy machine gives a reader, which has a low priority, a fraction of the CPU time. */
    private static final int BUSY_FACTOR = 10;

    private static final Duration MIN_WALL_TIME = Duration.ofMinutes(5);

    /** For background work, which may wait long. */
    public static ReaderLimits ofTask(Duration cpuTime) {
        Duration busy = cpuTime.multipliedBy(BUSY_FACTOR);
        Duration wallTime = busy.compareTo(MIN_WALL_TIME) < 0 ? MIN_WALL_TIME : busy;
        return new ReaderLimits(cpuTime, wallTime, wallTime);
    }

    /** For an HTTP request, whose client waits: four times the CPU time in all. */
    public static ReaderLimits ofRequest(Duration cpuTime) {
        return new ReaderLimits(cpuTime, cpuTime, cpuTime.multipliedBy(3));
    }

    /** The same without the time since the start of the wait. */
    ReaderLimits waitedSince(long startNanos) {
        return new ReaderLimits(cpuTime, permitTime.minusNanos(System.nanoTime() - startNanos), wallTime);
    }
}
