package dev.parley.workflow.task.coder.sandbox;

import dev.parley.Setting;
import dev.parley.Settings;
import dev.parley.SettingsException;
import dev.parley.id.OrganizationId;
import dev.parley.workflow.task.coder.child.Frames;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
 * Runs people's code (DECISIONS 4): in a process that is not the service's, once, with the {@link Layers} that the
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
    private final Turns turns;
    private final CompletableFuture<Made> made;
    private final ScheduledThreadPoolExecutor clock;

    /** What is known once the layers are. */
    private record Made(Layers layers, @Nullable ChildPool pool, String fault) {}

    @Inject
    public Sandbox(Settings settings) {
        this(settings, Programs.ofEnvironment());
    }

    Sandbox(Settings settings, Programs programs) {
        this.limits = SandboxLimits.of(settings.coder());
        this.turns = new Turns(settings.coder().parallel());
        // Beside the start of everything else; only a service that may refuse to start waits for it.
        this.made = CompletableFuture.supplyAsync(
                () -> make(settings, programs),
                task -> Thread.ofPlatform().daemon().name("coder-layers").start(task));
        if (settings.coder().strict()) {
            refuseWeak(made.join());
        }
        this.clock = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("coder-clock").factory());
        var _ = clock.scheduleWithFixedDelay(this::endIdle, 30, 30, TimeUnit.SECONDS);
    }

    private Made make(Settings settings, Programs programs) {
        try {
            SandboxHome home = SandboxHome.open(settings.data(), limits);
            Layers layers = Layers.detect(home, limits, programs);
            Thread.ofPlatform().daemon().name("coder-sweep").start(home::sweep);
            return new Made(
                    layers, new ChildPool(home, layers, limits, settings.coder().pool()), "");
        } catch (IOException e) {
            LOG.warnf("Coder tasks cannot run: %s", e.getMessage());
            return new Made(Layers.none(List.of()), null, String.valueOf(e.getMessage()));
        }
    }

    private static void refuseWeak(Made made) {
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
    public void expect(Language language) {
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
    public int waiting(Language language) {
        ChildPool pool = made.join().pool;
        return pool == null ? 0 : pool.waiting(language);
    }

    /**
     * Runs a piece of code; an interrupt kills it.
     *
     * @param inputs a JSON object
     * @throws SandboxUnavailable when it was not run, for a reason that is not the code's
     */
    public SandboxRun run(OrganizationId organization, Language language, String source, String inputs)
            throws InterruptedException, SandboxUnavailable {
        byte[] given = inputs.getBytes(StandardCharsets.UTF_8);
        if (given.length > Frames.LONGEST_JOB) {
            return new SandboxRun(null, tooMuch(), "");
        }
        try (Turns.Turn turn = turns.take(organization, QUEUE_LIMIT)) {
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
            Frames.Frame answer = ending.answer();
            if (answer == null) {
                return new SandboxRun(null, died(ending.exitCode()), console(child));
            }
            return answer.kind() == Frames.RESULT
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

    private SandboxRun.Failure timedOut() {
        return new SandboxRun.Failure(
                "Time limit", "The code did not finish within " + limits.time().toSeconds() + " s.", null);
    }

    /** A child would read no further, and end. */
    private static SandboxRun.Failure tooMuch() {
        return new SandboxRun.Failure(
                "Input limit",
                "The inputs of the code are longer than " + (Frames.LONGEST_JOB >> 20) + " MiB of JSON.",
                null);
    }

    private SandboxRun.Failure died(int exitCode) {
        return switch (exitCode) {
            case OUT_OF_MEMORY, KILLED ->
                new SandboxRun.Failure(
                        "Memory limit",
                        "The code needed more than " + limits.memoryMegabytes() + " MiB of memory.",
                        null);
            case CPU_TIME_USED -> timedOut();
            default -> new SandboxRun.Failure("Code error", "The code ended its interpreter.", null);
        };
    }

    private SandboxRun.Failure failure(byte[] body) throws SandboxUnavailable {
        String[] parts = new String(body, StandardCharsets.UTF_8).split("\n", 3);
        Frames.Failure kind;
        int at;
        try {
            kind = Frames.Failure.valueOf(parts[0]);
            at = Integer.parseInt(parts[1]);
        } catch (RuntimeException _) {
            throw new SandboxUnavailable("The sandbox gave no answer that can be read.");
        }
        Integer line = at > 0 ? at : null;
        String said = parts[2];
        String where = line == null ? "" : "Line " + line + ": ";
        return switch (kind) {
            case SYNTAX -> new SandboxRun.Failure("Code error", where + said, line);
            case THREW -> new SandboxRun.Failure("Code error", where + said, line);
            case NO_MAIN -> new SandboxRun.Failure("Code error", "The code has no function 'main'.", null);
            case EXITED -> new SandboxRun.Failure("Code error", where + "The code ended itself.", line);
            case NEVER_SETTLED ->
                new SandboxRun.Failure("Code error", "The promise that 'main' returned never settles.", null);
            case NO_OBJECT ->
                new SandboxRun.Failure("Invalid output", "What 'main' returned is not an object of JSON values.", null);
            case TOO_LONG ->
                new SandboxRun.Failure(
                        "Output limit",
                        "What 'main' returned is longer than " + limits.resultBytes() / 1024 + " KiB of JSON.",
                        null);
            case OUT_OF_TIME -> {
                SandboxRun.Failure failure = timedOut();
                yield new SandboxRun.Failure(failure.title(), where + failure.sentence(), line);
            }
            case EXHAUSTED ->
                new SandboxRun.Failure("Memory limit", where + "The code exhausted the memory that it may use.", line);
            case NO_THREAD -> throw new SandboxUnavailable("The machine has no threads left for the sandbox.");
            case INTERNAL -> new SandboxRun.Failure("Code error", where + "The interpreter could not run this.", line);
        };
    }
}
