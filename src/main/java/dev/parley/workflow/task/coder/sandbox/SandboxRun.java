package dev.parley.workflow.task.coder.sandbox;

import org.jspecify.annotations.Nullable;

/**
 * What became of one piece of code.
 *
 * @param result the JSON object that it returned; null when it failed
 * @param failure why there is no result
 * @param console what it wrote, at most {@link Sandbox#CONSOLE_BYTES}
 */
public record SandboxRun(@Nullable String result, @Nullable RunFailure failure, String console) {

    /**
     * Why there is no result, in words for whoever wrote the code.
     *
     * @param title of a few, such as {@code Code error}, {@code Time limit}, {@code Memory limit}
     * @param line of the code; null where it is not known
     */
    public record RunFailure(
            String title, String sentence, @Nullable Integer line) {}
}
