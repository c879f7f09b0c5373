package dev.parley.workflow.task.coder.sandbox;

import dev.parley.settings.Settings;
import java.time.Duration;

/**
 * The limits of one run.
 *
 * @param time from the moment in which the code gets its inputs
 * @param memoryMegabytes heap of the interpreter
 * @param resultBytes length of the result's JSON
 */
public record SandboxLimits(Duration time, int memoryMegabytes, int resultBytes) {
    public static SandboxLimits of(Settings.Coder settings) {
        return new SandboxLimits(settings.timeLimit(), settings.memoryMegabytes(), settings.resultKilobytes() * 1024);
    }
}
