package dev.parley.workflow.instance.run;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs actions after a delay, each on its own virtual thread. */
@Singleton
public final class DelayedActions {
    public static final Executor VIRTUAL_THREADS = task -> Thread.ofVirtual().start(task);

    private final ScheduledThreadPoolExecutor timer;

    public DelayedActions() {
        timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("instance-timer").factory());
        timer.setRemoveOnCancelPolicy(true);
    }

    @PreDestroy
    void close() {
        timer.shutdownNow();
    }

    /** A negative delay counts as zero. */
    public Future<?> after(Duration delay, Runnable action) {
        return timer.schedule(
                () -> VIRTUAL_THREADS.execute(action), Math.max(0, delay.toMillis()), TimeUnit.MILLISECONDS);
    }
}
