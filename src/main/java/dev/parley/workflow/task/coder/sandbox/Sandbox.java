package dev.parley.workflow.task.coder.sandbox;

import dev.parley.id.OrganizationId;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
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
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs people's code (DECISIONS 4): in a process that is not the service's, once, with the {@link SandboxIsolation} that the
 * machine has around it, and kills it when its time is up. What the code can reach is its inputs, its console, and
 * nothing else.
 */
@Singleton
@Startup
public final class Sandbox {
    /** What is kept of a console. */
    public static final int CONSOLE_BYTES = 64 << 10;

    static final Duration START_LIMIT = Duration.ofSeconds(90);

    /** For the interpreter to say itself that the time is up, and where. */
    private static final Duration GRACE = Duration.ofMillis(500);

    /** How long code waits for its turn. */
    public static final Duration QUEUE_LIMIT = Duration.ofSeconds(60);

    private static final Logger LOG = Logger.getLogger(Sandbox.class);
    private static final int OUT_OF_MEMORY = 3;
    private static final int KILLED = 137;
    private static final int CPU_TIME_USED = 152;

    private final SandboxLimits limits;
    private final FairSemaphore turns;
    private final CompletableFuture<SandboxSetup> made;
    private final ScheduledThreadPoolExecutor clock;

    /** What is known once the layers are. */
    private record SandboxSetup(
            SandboxIsolation layers, @Nullable ChildPool pool, String fault) {}

    @Inject
    public Sandbox(Settings.Coder coder, Settings.Storage storage) {
        this(coder, storage, HostTools.ofEnvironment());
    }

    Sandbox(Settings.Coder coder, Settings.Storage storage, HostTools programs) {
        this.limits = SandboxLimits.of(coder);
        this.turns = new FairSemaphore(coder.parallel());
        // Beside the start of everything else; only a service that may refuse to start waits for it.
        this.made = CompletableFuture.supplyAsync(
                () -> make(coder, storage.directory(), programs),
                task -> Thread.ofPlatform().daemon().name("coder-layers").start(task));
        if (coder.strict()) {
            refuseWeak(made.join());
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
            return new SandboxSetup(layers, new ChildPool(home, layers, limits, coder.pool()), "");
        } catch (IOException e) {
            LOG.warnf("Coder tasks cannot run: %s", e.getMessage());
            return new SandboxSetup(SandboxIsolation.none(List.of()), null, String.valueOf(e.getMessage()));
        }
    }

    private static void refuseWeak(SandboxSetup made) {
        if (made.pool == null) {
            throw new SettingsException(
                    Setting.PARLEY_CODER_SANDBOX, "is strict, and Coder tasks cannot run at all: " + made.fault + ".");
        }
        if (!made.layers.strong()) {
            throw new SettingsException(
                    Setting.PARLEY_CODER_SANDBOX,
                    "is strict, which needs bubblewrap (bwrap) and prlimit to work here; there are only: "
                            + String.join(", ", made.layers.names()) + ".");
        }
    }

    @PreDestroy
    public void close() {
        clock.shutdownNow();
        var _ = made.thenAccept(one -> {
            if (one.pool != null) {
                one.pool.close();
            }
        });
    }

    private void endIdle() {
        ChildPool pool = made.join().pool;
        if (pool != null) {
            pool.endIdle();
        }
    }

    /**
     * The layers that are on, in words; an empty list where no code can run, and nothing while they are still being
     * found out, which nobody who asks has to wait for.
     */
    public Optional<List<String>> layers() {
        return Optional.ofNullable(made.getNow(null))
                .map(known -> known.pool == null ? List.of() : known.layers.names());
    }

    /** What bubblewrap would add to the layers; empty where it is in use, no code can run, or the trial goes on. */
    public Optional<String> bubblewrapAdds() {
        return Optional.ofNullable(made.getNow(null))
                .filter(known -> known.pool != null)
                .flatMap(known -> known.layers.bubblewrapAdds());
    }

    /** Runs an action once the layers are known. */
    public void whenDetected(Runnable action) {
        var _ = made.thenRun(action);
    }

    public SandboxLimits limits() {
        return limits;
    }

    /** Makes children ready for code that will come soon. */
    public void expect(CodeLanguage language) {
        var _ = made.thenAccept(one -> {
            if (one.pool != null) {
                one.pool.refill(language);
            }
        });
    }

    /** How many pieces of code run now. */
    public int running() {
        return turns.taken();
    }

    /** How many children of a language wait for code. */
    public int waiting(CodeLanguage language) {
        ChildPool pool = made.join().pool;
        return pool == null ? 0 : pool.waiting(language);
    }

    /**
     * Runs a piece of code; an interrupt kills it.
     *
     * @param inputs a JSON object
     * @throws SandboxUnavailable when it was not run, for a reason that is not the code's
     */
    public SandboxRun run(OrganizationId organization, CodeLanguage language, String source, String inputs)
            throws InterruptedException, SandboxUnavailable {
        byte[] given = inputs.getBytes(StandardCharsets.UTF_8);
        if (given.length > FrameCodec.LONGEST_JOB) {
            return new SandboxRun(null, tooMuch(), "");
        }
        try (FairSemaphore.SandboxPermit turn = turns.take(organization, QUEUE_LIMIT)) {
            if (turn == null) {
                throw new SandboxUnavailable("The sandbox is busy with other code.");
            }
            ChildPool pool = made.join().pool;
            if (pool == null) {
                throw new SandboxUnavailable("The sandbox is not installed.");
            }
            try {
                return run(pool.take(language), source, given);
            } catch (IOException e) {
                LOG.warnf("A child for %s did not start: %s", language.text(), e.getMessage());
                throw new SandboxUnavailable("The sandbox could not be started.");
            } finally {
                pool.refill(language);
            }
        }
    }

    private SandboxRun run(ChildProcess child, String source, byte[] inputs)
            throws InterruptedException, SandboxUnavailable {
        try {
            if (!child.awaitReady(START_LIMIT)) {
                throw new SandboxUnavailable("The sandbox could not be started.");
            }
            ChildProcess.Ending ending = child.run(source, inputs, limits.time().plus(GRACE));
            FrameCodec.Frame answer = ending.answer();
            if (answer == null) {
                return new SandboxRun(null, died(ending.exitCode()), console(child));
            }
            return answer.kind() == FrameCodec.RESULT
                    ? new SandboxRun(new String(answer.body(), StandardCharsets.UTF_8), null, console(child))
                    : new SandboxRun(null, failure(answer.body()), console(child));
        } catch (TimeoutException _) {
            return new SandboxRun(null, timedOut(), console(child));
        } finally {
            child.kill();
        }
    }

    /** What the code wrote, also when it was stopped; PostgreSQL's texts have no NUL. */
    private static String console(ChildProcess child) {
        return child.console().replace('\0', '\uFFFD');
    }

    private SandboxRun.RunFailure timedOut() {
        return new SandboxRun.RunFailure(
                "Time limit", "The code did not finish within " + limits.time().toSeconds() + " s.", null);
    }

    /** A child would read no further, and end. */
    private static SandboxRun.RunFailure tooMuch() {
        return new SandboxRun.RunFailure(
                "Input limit",
                "The inputs of the code are longer than " + (FrameCodec.LONGEST_JOB >> 20) + " MiB of JSON.",
                null);
    }

    private SandboxRun.RunFailure died(int exitCode) {
        return switch (exitCode) {
            case OUT_OF_MEMORY, KILLED ->
                new SandboxRun.RunFailure(
                        "Memory limit",
                        "The code needed more than " + limits.memoryMegabytes() + " MiB of memory.",
                        null);
            case CPU_TIME_USED -> timedOut();
            default -> new SandboxRun.RunFailure("Code error", "The code ended its interpreter.", null);
        };
    }

    private SandboxRun.RunFailure failure(byte[] body) throws SandboxUnavailable {
        String[] parts = new String(body, StandardCharsets.UTF_8).split("\n", 3);
        FrameCodec.FailureKind kind;
        int at;
        try {
            kind = FrameCodec.FailureKind.valueOf(parts[0]);
            at = Integer.parseInt(parts[1]);
        } catch (RuntimeException _) {
            throw new SandboxUnavailable("The sandbox gave no answer that can be read.");
        }
        Integer line = at > 0 ? at : null;
        String said = parts[2];
        String where = line == null ? "" : "Line " + line + ": ";
        return switch (kind) {
            case SYNTAX -> new SandboxRun.RunFailure("Code error", where + said, line);
            case THREW -> new SandboxRun.RunFailure("Code error", where + said, line);
            case NO_MAIN -> new SandboxRun.RunFailure("Code error", "The code has no function 'main'.", null);
            case EXITED -> new SandboxRun.RunFailure("Code error", where + "The code ended itself.", line);
            case NEVER_SETTLED ->
                new SandboxRun.RunFailure("Code error", "The promise that 'main' returned never settles.", null);
            case NO_OBJECT ->
                new SandboxRun.RunFailure(
                        "Invalid output", "What 'main' returned is not an object of JSON values.", null);
            case TOO_LONG ->
                new SandboxRun.RunFailure(
                        "Output limit",
                        "What 'main' returned is longer than " + limits.resultBytes() / 1024 + " KiB of JSON.",
                        null);
            case OUT_OF_TIME -> {
                SandboxRun.RunFailure failure = timedOut();
                yield new SandboxRun.RunFailure(failure.title(), where + failure.sentence(), line);
            }
            case EXHAUSTED ->
                new SandboxRun.RunFailure(
                        "Memory limit", where + "The code exhausted the memory that it may use.", line);
            case NO_THREAD -> throw new SandboxUnavailable("The machine has no threads left for the sandbox.");
            case INTERNAL ->
                new SandboxRun.RunFailure("Code error", where + "The interpreter could not run this.", line);
        };
    }
}
