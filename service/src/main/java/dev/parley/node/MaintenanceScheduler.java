package dev.parley.node;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.parley.db.Database;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.vertx.http.HttpServerStart;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs each {@link MaintenanceJob} with db-scheduler: each is a row that one node at a time picks. Starts after the
 * service accepts requests, so that it does not delay startup, and polls every ten seconds. A job of a dead node is
 * picked again after eight seconds without a heartbeat; the library's default is thirty minutes.
 */
@Singleton
public final class MaintenanceScheduler {
    private static final Logger LOG = Logger.getLogger(MaintenanceScheduler.class);
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    private static final int MISSED_HEARTBEATS = 4;
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final Database database;
    private final NodeLease node;
    private final Instance<MaintenanceJob> jobs;
    private @Nullable Scheduler scheduler;
    private boolean stopped;

    public MaintenanceScheduler(Database database, NodeLease node, @Any Instance<MaintenanceJob> jobs) {
        this.database = database;
        this.node = node;
        this.jobs = jobs;
    }

    synchronized void start(@ObservesAsync HttpServerStart event) {
        if (stopped || scheduler != null || node.isStandby()) {
            return;
        }
        List<RecurringTask<Void>> tasks = jobs.stream().map(this::task).toList();
        Scheduler created = Scheduler.create(database.dataSource())
                .startTasks(tasks)
                .schedulerName(new SchedulerName.Fixed(node.id().text()))
                .threads(1)
                .pollingInterval(POLL)
                .heartbeatInterval(HEARTBEAT)
                .missedHeartbeatsLimit(MISSED_HEARTBEATS)
                .shutdownMaxWait(STOP_TIMEOUT)
                .build();
        scheduler = created;
        try {
            created.start();
        } catch (RuntimeException e) {
            LOG.warnf("Maintenance jobs cannot start: %s", e.getMessage());
        }
    }

    synchronized void stop(@Observes @Priority(70) ShutdownEvent event) {
        stopped = true;
        if (scheduler != null) {
            scheduler.stop();
        }
    }

    private RecurringTask<Void> task(MaintenanceJob job) {
        return Tasks.recurring(job.name(), FixedDelay.of(job.pause())).execute((_, _) -> {
            long startedAt = System.nanoTime();
            job.work().run();
            LOG.debugf("Maintenance job '%s' took %d ms", job.name(), (System.nanoTime() - startedAt) / 1_000_000);
        });
    }
}
