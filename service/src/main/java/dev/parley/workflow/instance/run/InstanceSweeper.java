package dev.parley.workflow.instance.run;

import dev.parley.node.NodeLease;
import dev.parley.node.Ticker;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.InstanceReader;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Ends instances that reached their time limit, or whose parent or organization was deleted. Every node does it; when
 * two end the same instance, the second finds it ended.
 */
@Singleton
public final class InstanceSweeper {
    private static final Logger LOG = Logger.getLogger(InstanceSweeper.class);
    private static final Duration OVERDUE = Duration.ofSeconds(1);
    private static final Duration REPORT = Duration.ofSeconds(2);
    private static final Duration ORPHANS = Duration.ofSeconds(30);

    private final Engine engine;
    private final InstanceReader reader;
    private final SubWorkflowEnds subWorkflows;
    private final NodeLease node;
    private final Clock time;
    private final Ticker ticker = new Ticker("instance-sweeper");

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
        ticker.every(OVERDUE, this::endOverdue);
        ticker.every(REPORT, () -> subWorkflows.reportAgain(engine));
        ticker.every(ORPHANS, () -> subWorkflows.stopOrphans(engine));
    }

    void stop(@Observes @Priority(80) ShutdownEvent event) {
        ticker.close();
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
}
