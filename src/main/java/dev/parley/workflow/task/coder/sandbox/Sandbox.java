package dev.parley.workflow.task.coder.sandbox;

import dev.parley.id.OrganizationId;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import dev.parley.work.FairSemaphore;
import dev.parley.workflow.task.coder.child.FrameCodec;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs user code once, in a separate process within the {@link SandboxIsolation} that the machine supports, and kills
 * it at its time limit. The code has access only to its inputs and its console.
 */
@Singleton
@Startup
public final class Sandbox {
    /** The maximum captured console output. */
    public static final int CONSOLE_BYTES = 64 << 10;

    static final Duration START_LIMIT = Duration.ofSeconds(90);

    /** Lets the interpreter itself report the time limit, with the line. */
    private static final Duration KILL_GRACE_PERIOD = Duration.ofMillis(500);

    /** The maximum time in the queue. */
    public static final Duration QUEUE_LIMIT = Duration.ofSeconds(60);

    /** A check delays the saving of code, so it gives up early on a busy machine. */
    private static final Duration CHECK_QUEUE_LIMIT = Duration.ofSeconds(3);

    private static final Duration CHECK_START_LIMIT = Duration.ofSeconds(8);

    private static final String CODE_ERROR = "Code error";

    /** The place of a syntax error as the interpreters write it, which repeats the line. */
    private static final Pattern SYNTAX_ERROR_PLACE =
            Pattern.compile("main\\.m?js:[0-9]+:[0-9]+ | ?\\(main\\.py, line [0-9]+\\)");

    private static final Logger LOG = Logger.getLogger(Sandbox.class);
    private static final int OUT_OF_MEMORY = 3;
    private static final int KILLED = 137;
    private static final int CPU_TIME_USED = 152;

    private final SandboxLimits limits;
    private final FairSemaphore permits;
    private final CompletableFuture<SandboxSetup> setup;
    private final ScheduledThreadPoolExecutor clock;

    /** Known after the isolation was detected. */
    private record SandboxSetup(
            SandboxIsolation layers, @Nullable ChildPool pool, String fault) {}

    @Inject
    public Sandbox(Settings.Coder coder, Settings.Storage storage) {
        this(coder, storage, HostTools.ofEnvironment());
    }

    Sandbox(Settings.Coder coder, Settings.Storage storage, HostTools programs) {
        this.limits = SandboxLimits.of(coder);
        this.permits = new FairSemaphore(coder.parallel());
        // Runs in parallel with startup; only a service that may refuse to start waits for it.
        this.setup = CompletableFuture.supplyAsync(
                () -> make(coder, storage.directory(), programs),
                task -> Thread.ofPlatform().daemon().name("sandbox-detection").start(task));
        if (coder.strict()) {
            refuseWeak(setup.join());
        }
        this.clock = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("coder-clock").factory());
        var _ = clock.scheduleWithFixedDelay(this::endIdle, 30, 30, TimeUnit.SECONDS);
    }

    private SandboxSetup make(Settings.Coder coder, Path data, HostTools programs) {
        try {
            SandboxInstallation home = SandboxInstallation.open(data, limits);
            SandboxIsolation layers = SandboxIsolation.detect(home, limits, programs);
            Thread.ofPlatform().daemon().name("coder-sweep").start(home::sweep);
            return new SandboxSetup(layers, new ChildPool(home, layers, limits, coder.pool(), coder.starts()), "");
        } catch (IOException e) {
            LOG.warnf("Coder tasks cannot run: %s", e.getMessage());
            return new SandboxSetup(SandboxIsolation.none(List.of()), null, String.valueOf(e.getMessage()));
        }
    }

    private static void refuseWeak(SandboxSetup setup) {
        if (setup.pool == null) {
            throw new SettingsException(
                    Setting.PARLEY_CODER_SANDBOX, "is strict, and Coder tasks cannot run at all: " + setup.fault + ".");
        }
        if (!setup.layers.strong()) {
            throw new SettingsException(
                    Setting.PARLEY_CODER_SANDBOX,
                    "is strict, which needs bubblewrap (bwrap) and prlimit to work here; there are only: "
                            + String.join(", ", setup.layers.names()) + ".");
        }
    }

    @PreDestroy
    public void close() {
        clock.shutdownNow();
        var _ = setup.thenAccept(one -> {
            if (one.pool != null) {
                one.pool.close();
            }
        });
    }

    private void endIdle() {
        ChildPool pool = setup.join().pool;
        if (pool != null) {
            pool.endIdle();
        }
    }

    /** The active isolation layers in words; an empty list if no code can run; empty while they are being detected. */
    public Optional<List<String>> layers() {
        return Optional.ofNullable(setup.getNow(null))
                .map(known -> known.pool == null ? List.of() : known.layers.names());
    }

    /** The layers that bubblewrap would add; empty if it is in use, no code can run, or detection is in progress. */
    public Optional<String> bubblewrapAdds() {
        return Optional.ofNullable(setup.getNow(null))
                .filter(known -> known.pool != null)
                .flatMap(known -> known.layers.bubblewrapAdds());
    }

    /** Runs an action once the layers are detected. */
    public void whenDetected(Runnable action) {
        var _ = setup.thenRun(action);
    }

    public SandboxLimits limits() {
        return limits;
    }

    /** Prepares children for code that will run soon. */
    public void expect(CodeLanguage language) {
        var _ = setup.thenAccept(one -> {
            if (one.pool != null) {
                one.pool.refill(language);
            }
        });
    }

    /** The number of running pieces of code. */
    public int running() {
        return permits.taken();
    }

    /** The number of ready children of a language. */
    public int waiting(CodeLanguage language) {
        ChildPool pool = setup.join().pool;
        return pool == null ? 0 : pool.waiting(language);
    }

    /**
     * Runs code; an interrupt kills it.
     *
     * @param inputs a JSON object
     * @throws SandboxUnavailable if it was not run, for a reason other than the code
     */
    public SandboxRun run(OrganizationId organization, CodeLanguage language, String source, String inputs)
            throws InterruptedException, SandboxUnavailable {
        byte[] given = inputs.getBytes(StandardCharsets.UTF_8);
        if (given.length > FrameCodec.MAX_JOB_LENGTH) {
            return new SandboxRun(null, tooMuch(), "", Duration.ZERO);
        }
        return run(organization, language, source, given, QUEUE_LIMIT);
    }

    /**
     * Parses code without running it.
     *
     * @return the syntax error; empty if there is none
     * @throws SandboxUnavailable if it was not parsed, also because it was busy or did not start for some seconds
     */
    public Optional<SandboxRun.RunFailure> check(OrganizationId organization, CodeLanguage language, String source)
            throws InterruptedException, SandboxUnavailable {
        SandboxRun checked = run(organization, language, source, null, CHECK_QUEUE_LIMIT);
        return Optional.ofNullable(checked.failure())
                .filter(failure -> failure.title().equals(CODE_ERROR) && failure.line() != null);
    }

    private SandboxRun run(
            OrganizationId organization,
            CodeLanguage language,
            String source,
            byte @Nullable [] inputs,
            Duration queueLimit)
            throws InterruptedException, SandboxUnavailable {
        try (FairSemaphore.FairPermit permit = permits.take(organization, queueLimit)) {
            if (permit == null) {
                throw new SandboxUnavailable("The sandbox is busy with other code.");
            }
            ChildPool pool = setup.join().pool;
            if (pool == null) {
                throw new SandboxUnavailable("The sandbox is not installed.");
            }
            try {
                return run(pool.take(language), source, inputs);
            } catch (IOException e) {
                LOG.warnf("Child process for %s did not start: %s", language.text(), e.getMessage());
                throw new SandboxUnavailable("The sandbox could not be started.");
            } finally {
                pool.refill(language);
            }
        }
    }

    private SandboxRun run(ChildProcess child, String source, byte @Nullable [] inputs)
            throws InterruptedException, SandboxUnavailable {
        try {
            if (!child.awaitReady(inputs == null ? CHECK_START_LIMIT : START_LIMIT)) {
                throw new SandboxUnavailable("The sandbox could not be started.");
            }
            return runReady(child, source, inputs);
        } finally {
            child.kill();
        }
    }

    private SandboxRun runReady(ChildProcess child, String source, byte @Nullable [] inputs)
            throws InterruptedException, SandboxUnavailable {
        long begun = System.nanoTime();
        String result = null;
        SandboxRun.RunFailure failure = null;
        Duration took;
        try {
            ChildProcess.ChildExit ending =
                    child.run(source, inputs, limits.time().plus(KILL_GRACE_PERIOD));
            took = Duration.ofNanos(System.nanoTime() - begun);
            FrameCodec.Frame answer = ending.answer();
            if (answer == null) {
                failure = died(ending.exitCode(), took);
            } else if (answer.kind() == FrameCodec.RESULT) {
                result = new String(answer.body(), StandardCharsets.UTF_8);
            } else {
                failure = failure(answer.body());
            }
        } catch (TimeoutException _) {
            took = Duration.ofNanos(System.nanoTime() - begun);
            failure = timedOut();
        }
        return new SandboxRun(result, failure, console(child), took);
    }

    /** The console output, including that of stopped code, without NUL, which PostgreSQL rejects. */
    private static String console(ChildProcess child) {
        return child.console().replace('\0', '\uFFFD');
    }

    private SandboxRun.RunFailure timedOut() {
        return new SandboxRun.RunFailure(
                "Time limit", "The code did not finish within " + limits.time().toSeconds() + " s.", null);
    }

    /** A child would stop reading and exit. */
    private static SandboxRun.RunFailure tooMuch() {
        return new SandboxRun.RunFailure(
                "Input limit",
                "The inputs of the code are longer than " + (FrameCodec.MAX_JOB_LENGTH >> 20) + " MiB of JSON.",
                null);
    }

    private SandboxRun.RunFailure outOfCpuTime() {
        return new SandboxRun.RunFailure(
                "Time limit", "The code was stopped after " + limits.time().toSeconds() + " s of CPU time.", null);
    }

    /** A process that ends by itself when its time is over was stopped by a limit, whatever its exit code. */
    private SandboxRun.RunFailure died(int exitCode, Duration after) {
        return switch (exitCode) {
            case OUT_OF_MEMORY, KILLED ->
                new SandboxRun.RunFailure(
                        "Memory limit",
                        "The code needed more than " + limits.memoryMegabytes() + " MiB of memory.",
                        null);
            case CPU_TIME_USED -> outOfCpuTime();
            default ->
                after.compareTo(limits.time()) >= 0
                        ? outOfCpuTime()
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

    private SandboxRun.RunFailure failure(byte[] body) throws SandboxUnavailable {
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
        String where = line == null ? "" : "Line " + line + ": ";
        return switch (kind) {
            case SYNTAX -> new SandboxRun.RunFailure(CODE_ERROR, where + syntaxError(message), line);
            case THREW -> new SandboxRun.RunFailure(CODE_ERROR, where + message, line);
            case NO_MAIN -> new SandboxRun.RunFailure(CODE_ERROR, "The code has no function 'main'.", null);
            case EXITED -> new SandboxRun.RunFailure(CODE_ERROR, where + "The code called exit.", line);
            case NEVER_SETTLED ->
                new SandboxRun.RunFailure(CODE_ERROR, "The promise that 'main' returned never settles.", null);
            case NO_OBJECT ->
                new SandboxRun.RunFailure(
                        "Invalid output", "The result of 'main' is not an object of JSON values.", null);
            case NOT_FINITE -> {
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
                SandboxRun.RunFailure failure = outOfCpuTime();
                yield new SandboxRun.RunFailure(failure.title(), where + failure.detail(), line);
            }
            case EXHAUSTED -> new SandboxRun.RunFailure("Memory limit", where + "The code exhausted its memory.", line);
            case NO_THREAD -> throw new SandboxUnavailable("The machine has no threads left for the sandbox.");
            case INTERNAL ->
                new SandboxRun.RunFailure(CODE_ERROR, where + "The interpreter failed to run the code.", line);
        };
    }
}
