package dev.parley.workflow.task.coder.sandbox;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;

/** Describes why code has no result, to its author. */
final class RunFailures {
    static final String CODE_ERROR = "Code error";
    private static final String TIME_LIMIT = "Time limit";
    private static final String MEMORY_LIMIT = "Memory limit";

    /** The place of a syntax error as the interpreters write it, which repeats the line. */
    private static final Pattern SYNTAX_ERROR_PLACE =
            Pattern.compile("main\\.m?js:[0-9]+:[0-9]+ | ?\\(main\\.py, line [0-9]+\\)");

    /** What browsers and Node.js offer beside the language, and modules. */
    private static final Pattern MISSING_IN_JAVASCRIPT = Pattern.compile(
            "^ReferenceError: (process|require|module|exports|fetch|setTimeout|setInterval|setImmediate|Buffer|window"
                    + "|document|XMLHttpRequest|URL|URLSearchParams|TextEncoder|TextDecoder|structuredClone|atob|btoa|crypto"
                    + "|performance) is not defined|Cannot find module|Operation is not allowed for: ");

    private static final int OUT_OF_MEMORY = 3;
    private static final int KILLED = 137;

    private RunFailures() {}

    /** A child would stop reading and exit. */
    static SandboxRun.RunFailure tooMuch() {
        return new SandboxRun.RunFailure(
                "Input limit",
                "The inputs of the code are longer than " + (FrameCodec.MAX_JOB_LENGTH >> 20) + " MiB of JSON.",
                null);
    }

    private static SandboxRun.RunFailure outOfCpuTime(SandboxLimits limits) {
        return new SandboxRun.RunFailure(
                TIME_LIMIT, "The code was stopped after " + limits.time().toSeconds() + " s of CPU time.", null);
    }

    /** A process that ends by itself when its time is over was stopped by a limit, whatever its exit code. */
    static SandboxRun.RunFailure died(int exitCode, Duration after, SandboxLimits limits) {
        return switch (exitCode) {
            case OUT_OF_MEMORY, KILLED ->
                new SandboxRun.RunFailure(
                        MEMORY_LIMIT,
                        "The code needed more than " + limits.memoryMegabytes() + " MiB of memory.",
                        null);
            case FrameCodec.OUT_OF_CPU_TIME -> outOfCpuTime(limits);
            case FrameCodec.WAITED_TOO_LONG ->
                new SandboxRun.RunFailure(
                        TIME_LIMIT,
                        "The code did not finish within " + limits.time().toSeconds() + " s.",
                        null);
            default ->
                after.compareTo(limits.time()) >= 0
                        ? outOfCpuTime(limits)
                        : new SandboxRun.RunFailure(CODE_ERROR, "The code terminated its interpreter.", null);
        };
    }

    /**
     * The message without the place, and without an extract of the empty end of the code. Python gives the line at which
     * the block of an unexpected indent begins.
     */
    private static String syntaxError(String message) {
        String said = SYNTAX_ERROR_PLACE.matcher(message).replaceFirst("").stripTrailing();
        int extract = said.indexOf('\n');
        if (extract >= 0 && said.substring(extract).strip().equals("^")) {
            said = said.substring(0, extract).stripTrailing();
        }
        return said.replace("found eof", "found the end of the code")
                .replace("unexpected indent", "unexpected indent in the block that begins here");
    }

    /** What to do about something that other places offer and the sandbox does not. */
    private static String hint(String message) {
        if (message.startsWith("ModuleNotFoundError: No module named ")) {
            return ". Only Python's standard library is available.";
        }
        return MISSING_IN_JAVASCRIPT.matcher(message).find()
                ? ". The sandbox has the language alone: no packages, files, network and timers."
                : "";
    }

    /** Reads the body of a {@link FrameCodec#FAILURE}. */
    static SandboxRun.RunFailure read(byte[] body, SandboxLimits limits) throws SandboxUnavailable {
        String[] parts = new String(body, StandardCharsets.UTF_8).split("\n", 3);
        FrameCodec.FailureKind kind;
        int at;
        try {
            kind = FrameCodec.FailureKind.valueOf(parts[0]);
            at = Integer.parseInt(parts[1]);
        } catch (RuntimeException _) {
            throw new SandboxUnavailable("The sandbox returned an invalid answer.");
        }
        Integer line = at > 0 ? at : null;
        String message = parts[2];
        return switch (kind) {
            case SYNTAX -> new SandboxRun.RunFailure(CODE_ERROR, syntaxError(message), line);
            case THREW -> new SandboxRun.RunFailure(CODE_ERROR, message + hint(message), line);
            case NO_MAIN -> new SandboxRun.RunFailure(CODE_ERROR, "The code has no function 'main'.", null);
            case EXITED ->
                new SandboxRun.RunFailure(CODE_ERROR, "The code called exit; 'main' must return the outputs.", line);
            case NEVER_SETTLED -> new SandboxRun.RunFailure(CODE_ERROR, "What 'main' awaits never ends.", null);
            case NO_OBJECT ->
                new SandboxRun.RunFailure(
                        "Invalid output", "The result of 'main' is not an object of JSON values.", null);
            case NOT_JSON -> {
                String[] found = message.split("\n", 2);
                yield new SandboxRun.RunFailure(
                        "Invalid output",
                        "The output '" + found[1] + "' " + found[0] + ", which JSON cannot represent.",
                        null);
            }
            case TOO_LONG ->
                new SandboxRun.RunFailure(
                        "Output limit",
                        "The result of 'main' is longer than " + limits.resultBytes() / 1024 + " KiB of JSON.",
                        null);
            case OUT_OF_TIME -> {
                SandboxRun.RunFailure failure = outOfCpuTime(limits);
                yield new SandboxRun.RunFailure(failure.title(), failure.message(), line);
            }
            case EXHAUSTED -> new SandboxRun.RunFailure(MEMORY_LIMIT, "The code exhausted its memory.", line);
            case NO_THREAD -> throw new SandboxUnavailable("The machine has no threads left for the sandbox.");
            case INTERNAL -> new SandboxRun.RunFailure(CODE_ERROR, "The interpreter failed to run the code.", line);
        };
    }
}
