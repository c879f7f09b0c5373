package dev.parley.node;

import dev.parley.problem.ApiProblem;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Runs tasks at fixed intervals, on a thread of its own. A task that fails runs again; only the first failure in a row is
 * logged as a warning.
 */
public final class Ticker implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Ticker.class);

    private final String name;
    private final ScheduledExecutorService timer;

    /** @param name of the thread */
    public Ticker(String name) {
        this.name = name;
        this.timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    /** The first run is after one interval, and each further one an interval after the end of the one before. */
    public void every(Duration interval, Runnable task) {
        var isFailing = new AtomicBoolean();
        Runnable guarded = () -> {
            try {
                task.run();
                isFailing.set(false);
            } catch (RuntimeException | Error e) { // An error would end the repetition.
                Logger.Level level = isFailing.getAndSet(true) ? Logger.Level.DEBUG : Logger.Level.WARN;
                LOG.logf(level, e instanceof ApiProblem ? null : e, "%s is repeated after a failure: %s", name, e);
            }
        };
        var _ = timer.scheduleWithFixedDelay(guarded, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Interrupts a task in progress. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
