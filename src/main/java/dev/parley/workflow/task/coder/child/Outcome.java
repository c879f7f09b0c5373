package dev.parley.workflow.task.coder.child;

import org.jspecify.annotations.Nullable;

/**
 * What became of the code.
 *
 * @param failure null when there is a result
 * @param line of the code, 0 where it is not known
 * @param text the result as JSON, or what went wrong
 */
record Outcome(Frames.@Nullable Failure failure, int line, String text) {
    static Outcome result(String json) {
        return new Outcome(null, 0, json);
    }

    static Outcome failed(Frames.Failure failure, int line, String text) {
        return new Outcome(failure, line, text);
    }

    static Outcome failed(Frames.Failure failure) {
        return new Outcome(failure, 0, "");
    }
}
