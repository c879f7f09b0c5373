package dev.parley.workflow.task.coder.sandbox;

import dev.parley.id.OrganizationId;
import dev.parley.node.Ticker;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import dev.parley.work.FairSemaphore;
import dev.parley.workflow.task.coder.sandbox.host.HostTools;
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
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs user code once, in a separate process within the {@link SandboxIsolation} that the machine supports. The process
 * ends at the time limit of the code, which does not include the time that it waits for the CPU. The code has access only to its inputs and its console.
 */
@Singleton
@Startup
public final class Sandbox {
    /** The maximum captured console output. */
    public static final int CONSOLE_BYTES = 64 << 10;

    /** For a client that waits for the response; connections without traffic are closed after two minutes. */
    public static final Duration REQUEST_PATIENCE = Duration.ofSeconds(100);

    /** A check delays the saving of code. */
    private static final Duration CHECK_PATIENCE = Duration.ofSeconds(60);

    private static final Logger LOG = Logger.getLogger(Sandbox.class);
    private final SandboxLimits limits;
    private final FairSemaphore permits;
    private final CompletableFuture<SandboxSetup> setup;
    private final Ticker clock = new Ticker("coder-clock");

    /** Known after the isolation was detected. */
    private record SandboxSetup(
            SandboxIsolation isolation, @Nullable ChildPool pool, String fault) {}

    @Inject
    public Sandbox(Settings.Coder coder, Settings.Storage storage) {
        this(coder, storage, HostTools.ofEnvironment());
    }

    Sandbox(Settings.Coder coder, Settings.Storage storage, HostTools tools) {
        this.limits = SandboxLimits.of(coder);
        this.permits = new FairSemaphore(coder.parallel());
        // Runs in parallel with startup; only a service that may refuse to start waits for it.
        this.setup = CompletableFuture.supplyAsync(
                () -> make(coder, storage.directory(), tools),
                task -> Thread.ofPlatform().daemon().name("sandbox-detection").start(task));
        if (coder.strict()) {
            refuseWeak(setup.join());
        }
        clock.every(Duration.ofSeconds(30), this::endIdle);
    }

    private SandboxSetup make(Settings.Coder coder, Path data, HostTools tools) {
        try {
            SandboxInstallation installation = SandboxInstallation.open(data, limits, tools);
            SandboxIsolation isolation = SandboxIsolation.detect(installation, limits, tools);
            Thread.ofPlatform().daemon().name("coder-sweep").start(installation::sweep);
            return new SandboxSetup(
                    isolation, new ChildPool(installation, isolation, limits, coder.pool(), coder.starts()), "");
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
        if (!setup.isolation.strong()) {
            throw new SettingsException(
                    Setting.PARLEY_CODER_SANDBOX,
                    "is strict, which needs bubblewrap (bwrap) and prlimit to work here; there are only: "
                            + String.join(", ", setup.isolation.names()) + ".");
        }
    }

    @PreDestroy
    public void close() {
        clock.close();
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
                .map(known -> known.pool == null ? List.of() : known.isolation.names());
    }

    /** The layers that bubblewrap would add; empty if it is in use, no code can run, or detection is in progress. */
    public Optional<String> bubblewrapAdds() {
        return Optional.ofNullable(setup.getNow(null))
                .filter(known -> known.pool != null)
                .flatMap(known -> known.isolation.bubblewrapAdds());
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
     * @throws SandboxUnavailable if it was not run to its end, for a reason other than the code
     */
    public SandboxRun run(OrganizationId organization, CodeLanguage language, String source, String inputs)
            throws InterruptedException, SandboxUnavailable {
        return run(organization, language, source, inputs, limits.patience());
    }

    /** The same with a limit of the time until the end of the code. */
    public SandboxRun run(
            OrganizationId organization, CodeLanguage language, String source, String inputs, Duration patience)
            throws InterruptedException, SandboxUnavailable {
        byte[] given = inputs.getBytes(StandardCharsets.UTF_8);
        if (given.length > FrameCodec.MAX_JOB_LENGTH) {
            return new SandboxRun(null, RunFailures.tooMuch(), "", Duration.ZERO);
        }
        return runJob(organization, language, source, given, patience);
    }

    /**
     * Parses code without running it.
     *
     * @return the syntax error; empty if there is none
     * @throws SandboxUnavailable if it was not parsed, also because the machine is busy
     */
    public Optional<SandboxRun.RunFailure> check(OrganizationId organization, CodeLanguage language, String source)
            throws InterruptedException, SandboxUnavailable {
        SandboxRun checked = runJob(organization, language, source, null, CHECK_PATIENCE);
        return Optional.ofNullable(checked.failure())
                .filter(failure -> failure.title().equals(RunFailures.CODE_ERROR) && failure.line() != null);
    }

    private SandboxRun runJob(
            OrganizationId organization,
            CodeLanguage language,
            String source,
            byte @Nullable [] inputs,
            Duration patience)
            throws InterruptedException, SandboxUnavailable {
        long deadline = System.nanoTime() + patience.toNanos();
        try (FairSemaphore.FairPermit permit = permits.take(organization, atMostWallTime(patience))) {
            if (permit == null) {
                throw busy();
            }
            ChildPool pool = setup.join().pool;
            if (pool == null) {
                throw new SandboxUnavailable("The sandbox is not installed.");
            }
            try {
                return run(pool.take(language, until(deadline)), source, inputs, deadline);
            } catch (IOException e) {
                LOG.warnf("Child process for %s did not start: %s", language.text(), e.getMessage());
                throw new SandboxUnavailable("The sandbox could not be started.");
            } catch (TimeoutException _) {
                throw busy();
            } finally {
                pool.refill(language);
            }
        }
    }

    private static SandboxUnavailable busy() {
        return new SandboxUnavailable("The sandbox is busy with other code.");
    }

    private Duration atMostWallTime(Duration time) {
        return time.compareTo(limits.wallTime()) < 0 ? time : limits.wallTime();
    }

    private Duration until(long deadline) {
        return atMostWallTime(Duration.ofNanos(deadline - System.nanoTime()));
    }

    /** Throws a TimeoutException if the machine is too busy: a child ends by itself at the code's own limit. */
    private SandboxRun run(ChildProcess child, String source, byte @Nullable [] inputs, long deadline)
            throws InterruptedException, SandboxUnavailable, TimeoutException {
        try {
            if (!child.awaitReady(until(deadline))) {
                throw new SandboxUnavailable("The sandbox could not be started.");
            }
            long begun = System.nanoTime();
            ChildProcess.ChildExit ending = child.run(source, inputs, until(deadline));
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            FrameCodec.Frame answer = ending.answer();
            String result = null;
            SandboxRun.RunFailure failure = null;
            if (answer == null) {
                failure = RunFailures.died(ending.exitCode(), took, limits);
            } else if (answer.kind() == FrameCodec.RESULT) {
                result = new String(answer.body(), StandardCharsets.UTF_8);
            } else {
                failure = RunFailures.read(answer.body(), limits);
            }
            return new SandboxRun(result, failure, console(child), took);
        } finally {
            child.kill();
        }
    }

    /** The console output, including that of stopped code, without NUL, which PostgreSQL rejects. */
    private static String console(ChildProcess child) {
        return child.console().replace('\0', '\uFFFD');
    }
}
