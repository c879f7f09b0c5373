package dev.parley.sandbox;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.EnvironmentAccess;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;

/**
 * A locked-down interpreter for one piece of code: without Java, files, network, processes, threads, environment and
 * other languages. The code and its harness exchange only JSON texts, so that no object of the code is ever used
 * outside.
 */
abstract class LanguageRuntime {
    /** The maximum length of a reported error message. */
    private static final int MAX_MESSAGE_LENGTH = 2_000;

    /** The first character of a violation; JSON never starts with it. */
    private static final String VIOLATION = "!";

    /** The first character of names that precede the result in a line of their own. */
    private static final String ROUNDED = "~";

    static final String FILE = "main";

    private final Context context;
    private final int resultBytes;

    LanguageRuntime(Context context, int resultBytes) {
        this.context = context;
        this.resultBytes = resultBytes;
    }

    static LanguageRuntime of(String language, OutputStream console, int resultBytes, long cpuMillis) {
        LanguageRuntime runtime = language.equals("python")
                ? new PythonRuntime(locked(language, console, cpuMillis), resultBytes)
                : new JavaScriptRuntime(locked(language, console, cpuMillis), resultBytes);
        runtime.warm();
        // Resources used so far do not count for the code.
        runtime.context.resetLimits();
        return runtime;
    }

    private static Context locked(String language, OutputStream console, long cpuMillis) {
        Context.Builder builder = Context.newBuilder(language)
                .out(console)
                .err(console)
                .in(InputStream.nullInputStream())
                .allowHostAccess(HostAccess.CONSTRAINED)
                .allowHostClassLookup(_ -> false)
                .allowHostClassLoading(false)
                .allowNativeAccess(false)
                .allowCreateThread(false)
                .allowCreateProcess(false)
                .allowInnerContextOptions(false)
                .allowPolyglotAccess(PolyglotAccess.NONE)
                .allowEnvironmentAccess(EnvironmentAccess.NONE)
                .allowIO(IOAccess.NONE)
                .option("engine.WarnInterpreterOnly", "false");
        return language.equals("python") ? PythonRuntime.lock(builder) : JavaScriptRuntime.lock(builder, cpuMillis);
    }

    final Context context() {
        return context;
    }

    /** Runs a trivial job, so that the real one finds everything loaded. */
    abstract void warm();

    /** The code as a source for the interpreter. */
    abstract Source source(String source);

    /** Evaluates the code and returns its function main; null if there is none. */
    abstract Value main(String source) throws PolyglotException;

    /**
     * Calls main with the inputs. Returns its result as JSON, or {@link #VIOLATION}, what an output is or contains that
     * JSON cannot represent, a line break and the output's name.
     * Before the JSON may be {@link #ROUNDED}, an object with the names of integers that may have lost digits, and a line
     * break.
     */
    abstract Value call(Value main, String inputs) throws PolyglotException;

    final CodeOutcome run(String source, String inputs) {
        var read = new AtomicBoolean();
        return guarded(read, () -> {
            Value main = main(withoutByteOrderMark(source));
            if (!main.canExecute()) {
                return CodeOutcome.failed(FrameCodec.FailureKind.NO_MAIN);
            }
            read.set(true);
            return outcome(call(main, inputs));
        });
    }

    /** Parses the code without running any of it. */
    final CodeOutcome check(String source) {
        return guarded(new AtomicBoolean(), () -> {
            context.parse(source(withoutByteOrderMark(source)));
            return CodeOutcome.result("{}");
        });
    }

    /** Editors on Windows write it. Python refuses it, and it would hide the export of a module. */
    private static String withoutByteOrderMark(String source) {
        return source.startsWith("\uFEFF") ? source.substring(1) : source;
    }

    private static CodeOutcome guarded(AtomicBoolean read, Supplier<CodeOutcome> job) {
        try {
            return job.get();
        } catch (PolyglotException e) {
            return !e.isGuestException() && lacksThread(e)
                    ? CodeOutcome.failed(FrameCodec.FailureKind.NO_THREAD)
                    : failed(e, read.get());
        } catch (OutOfMemoryError e) {
            return CodeOutcome.failed(
                    lacksThread(e) ? FrameCodec.FailureKind.NO_THREAD : FrameCodec.FailureKind.EXHAUSTED);
        } catch (StackOverflowError _) {
            return CodeOutcome.failed(FrameCodec.FailureKind.EXHAUSTED);
        } catch (RuntimeException _) {
            return CodeOutcome.failed(FrameCodec.FailureKind.INTERNAL);
        }
    }

    private CodeOutcome outcome(Value value) {
        if (!value.isString()) {
            return CodeOutcome.failed(
                    value.isNull() ? FrameCodec.FailureKind.NEVER_SETTLED : FrameCodec.FailureKind.NO_OBJECT);
        }
        String json = value.asString();
        if (json.startsWith(VIOLATION)) {
            return CodeOutcome.failed(FrameCodec.FailureKind.NOT_JSON, 0, cut(json.substring(1)));
        }
        if (json.getBytes(StandardCharsets.UTF_8).length > resultBytes) {
            return CodeOutcome.failed(FrameCodec.FailureKind.TOO_LONG);
        }
        return json.startsWith("{", json.startsWith(ROUNDED) ? json.indexOf('\n') + 1 : 0)
                ? CodeOutcome.result(json)
                : CodeOutcome.failed(FrameCodec.FailureKind.NO_OBJECT);
    }

    private static CodeOutcome failed(PolyglotException e, boolean read) {
        FrameCodec.FailureKind failure = FrameCodec.FailureKind.THREW;
        if (e.isExit()) {
            failure = FrameCodec.FailureKind.EXITED;
        } else if (e.isResourceExhausted() || e.isCancelled()) {
            failure = isOutOfTime(e) ? FrameCodec.FailureKind.OUT_OF_TIME : FrameCodec.FailureKind.EXHAUSTED;
        } else if (e.isSyntaxError() && !read) {
            failure = FrameCodec.FailureKind.SYNTAX;
        } else if (!e.isGuestException()) {
            failure = FrameCodec.FailureKind.INTERNAL;
        }
        String message = failure == FrameCodec.FailureKind.INTERNAL || e.getMessage() == null ? "" : e.getMessage();
        return CodeOutcome.failed(failure, line(e), cut(message));
    }

    private static String cut(String message) {
        if (message.length() <= MAX_MESSAGE_LENGTH) {
            return message;
        }
        boolean splitsPair = Character.isHighSurrogate(message.charAt(MAX_MESSAGE_LENGTH - 1));
        return message.substring(0, splitsPair ? MAX_MESSAGE_LENGTH - 1 : MAX_MESSAGE_LENGTH) + "…";
    }

    /** The JVM reports a refused thread as an OutOfMemoryError with a specific message. */
    private static boolean lacksThread(Throwable e) {
        return e.getMessage() != null && e.getMessage().contains("unable to create native thread");
    }

    /** The interpreter reports the exceeded limit only in its message, and not at all if it had to cancel. */
    private static boolean isOutOfTime(PolyglotException e) {
        String message = e.getMessage() == null ? "" : e.getMessage();
        return message.contains("CPU time") || (e.isCancelled() && !message.contains("memory"));
    }

    /** The line of the code that failed, or that called the operation that failed. */
    private static int line(PolyglotException e) {
        for (PolyglotException.StackFrame frame : e.getPolyglotStackTrace()) {
            if (isCode(frame.getSourceLocation())) {
                return frame.getSourceLocation().getStartLine();
            }
        }
        // Code that does not parse has no frame.
        return isCode(e.getSourceLocation()) ? e.getSourceLocation().getStartLine() : 0;
    }

    private static boolean isCode(@Nullable SourceSection at) {
        return at != null && at.isAvailable() && at.getSource().getName().startsWith(FILE + ".");
    }
}
