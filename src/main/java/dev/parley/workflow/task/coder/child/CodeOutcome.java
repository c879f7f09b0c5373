package dev.parley.workflow.task.coder.child;

import org.jspecify.annotations.Nullable;

/**
 * What became of the code.
 *
 * @param failure null when there is a result
 * @param line of the code, 0 where it is not known
 * @param text the result as JSON, or what went wrong
 */
record CodeOutcome(FrameCodec.@Nullable FailureKind failure, int line, String text) {
    static CodeOutcome result(String json) {
        return new CodeOutcome(null, 0, json);
    }

    static CodeOutcome failed(FrameCodec.FailureKind failure, int line, String text) {
        return new CodeOutcome(failure, line, text);
    }

    static CodeOutcome failed(FrameCodec.FailureKind failure) {
        return new CodeOutcome(failure, 0, "");
    }
}
