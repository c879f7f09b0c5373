package dev.parley.workflow.task.coder.sandbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result of one run.
 *
 * @param result the returned JSON object; null if it failed
 * @param failure why there is no result
 * @param console the output, at most {@link Sandbox#CONSOLE_BYTES}
 * @param took without the wait for a free process and the start of its interpreter
 */
public record SandboxRun(@Nullable String result, @Nullable RunFailure failure, String console, Duration took) {

    /**
     * Why there is no result, in words for the author of the code.
     *
     * @param title one of a few, such as {@code Code error}, {@code Time limit}, {@code Memory limit}
     * @param message without the line
     * @param line of the code; null if unknown
     */
    public record RunFailure(
            String title, String message, @Nullable Integer line) {

        /** The message behind the line. */
        public String detail() {
            return line == null ? message : "Line " + line + ": " + message;
        }
    }
}
