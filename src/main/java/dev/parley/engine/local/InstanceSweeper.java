package dev.parley.engine.local;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Polls for instances that another node changed, that reached their time limit, or whose organization was deleted.
 * Every node does it; when two end the same instance, the second finds it ended.
 */
@Singleton
public final class InstanceSweeper {
    private static final Logger LOG = Logger.getLogger(InstanceSweeper.class);
    private static final long SIGNALS_MILLIS = 500;
    private static final long COUNT_MILLIS = 2_000;
    private static final long OVERDUE_MILLIS = 1_000;

    private final LocalEngine engine;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("instance-sweeper").factory());

    public InstanceSweeper(LocalEngine engine) {
        this.engine = engine;
    }

    void start(@Observes @Priority(20) StartupEvent event) {
        every(SIGNALS_MILLIS, engine::takeSignals);
        every(COUNT_MILLIS, engine::countElsewhere);
        every(OVERDUE_MILLIS, engine::endOverdue);
    }

    void stop(@Observes @Priority(80) ShutdownEvent event) {
        clock.shutdown();
    }

    private void every(long millis, Runnable sweep) {
        var _ = clock.scheduleWithFixedDelay(
                () -> {
                    try {
                        sweep.run();
                    } catch (RuntimeException e) {
                        LOG.debugf("Sweep of instances failed and is retried: %s", e.getMessage());
                    }
                },
                millis,
                millis,
                TimeUnit.MILLISECONDS);
    }
}
