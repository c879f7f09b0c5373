package dev.parley.workflow.task.coder.sandbox;

import dev.parley.settings.Settings;
import java.time.Duration;

/**
 * The limits of one run.
 *
 * @param time of the CPU, plus the time that the code waits for something other than the CPU; from the moment in which
 *     the code gets its inputs
 * @param memoryMegabytes heap of the interpreter
 * @param resultBytes length of the result's JSON
 */
public record SandboxLimits(Duration time, int memoryMegabytes, int resultBytes) {
    /** A busy machine gives code a fraction of the CPU time. */
    private static final int BUSY_FACTOR = 10;

    private static final Duration MIN_WALL_TIME = Duration.ofMinutes(5);

    public static SandboxLimits of(Settings.Coder settings) {
        return new SandboxLimits(settings.timeLimit(), settings.memoryMegabytes(), settings.resultKilobytes() * 1024);
    }

    /** How long code may run on a busy machine; an interpreter may take as long to start, and code to get a permit. */
    Duration wallTime() {
        Duration busy = time.multipliedBy(BUSY_FACTOR);
        return busy.compareTo(MIN_WALL_TIME) < 0 ? MIN_WALL_TIME : busy;
    }

    /** The maximum time from the request to run code until its end. */
    public Duration patience() {
        return wallTime().multipliedBy(3);
    }
}
