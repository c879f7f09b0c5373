package dev.parley.sandbox;

import org.jspecify.annotations.Nullable;

/**
 * The result of running code.
 *
 * @param failure null on success
 * @param line of the code; 0 if unknown
 * @param text the result as JSON, or the error message
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
