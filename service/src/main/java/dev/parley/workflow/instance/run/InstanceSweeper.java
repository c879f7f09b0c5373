package dev.parley.workflow.instance.run;

import dev.parley.node.NodeLease;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.InstanceReader;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Ends instances that reached their time limit, or whose parent or organization was deleted. Every node does it; when
 * two end the same instance, the second finds it ended.
 */
@Singleton
public final class InstanceSweeper {
    private static final Logger LOG = Logger.getLogger(InstanceSweeper.class);
    private static final long OVERDUE_MILLIS = 1_000;
    private static final long REPORT_MILLIS = 2_000;
    private static final long ORPHANS_MILLIS = 30_000;

    private final Engine engine;
    private final InstanceReader reader;
    private final SubWorkflowEnds subWorkflows;
    private final NodeLease node;
    private final Clock time;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("instance-sweeper").factory());

    public InstanceSweeper(
            Engine engine, InstanceReader reader, SubWorkflowEnds subWorkflows, NodeLease node, Clock time) {
        this.node = node;
        this.engine = engine;
        this.reader = reader;
        this.subWorkflows = subWorkflows;
        this.time = time;
    }

    void start(@Observes @Priority(20) StartupEvent event) {
        if (node.isStandby()) {
            return;
        }
        every(OVERDUE_MILLIS, this::endOverdue);
        every(REPORT_MILLIS, () -> subWorkflows.reportAgain(engine));
        every(ORPHANS_MILLIS, () -> subWorkflows.stopOrphans(engine));
    }

    void stop(@Observes @Priority(80) ShutdownEvent event) {
        clock.shutdown();
    }

    private void endOverdue() {
        for (InstanceKey key : reader.overdue(time.instant())) {
            end(key, new InstanceEvent.TimeLimitReached());
        }
        for (InstanceKey key : reader.ofDeletedOrganizations()) {
            end(key, new InstanceEvent.Terminated("The organization was deleted.", "system"));
        }
    }

    private void end(InstanceKey key, InstanceEvent event) {
        var _ = engine.apply(key.organization(), key.id(), event, null).exceptionally(failure -> {
            LOG.warnf("Instance %s is ended later: %s", key.id(), failure.getMessage());
            return null;
        });
    }

    private void every(long millis, Runnable sweep) {
        var _ = clock.scheduleWithFixedDelay(
                () -> {
                    try {
                        sweep.run();
                    } catch (RuntimeException | Error e) { // An error would end the repetition.
                        LOG.warnf("Sweep of instances failed and is retried: %s", e);
                    }
                },
                millis,
                millis,
                TimeUnit.MILLISECONDS);
    }
}
