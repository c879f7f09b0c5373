package dev.parley.monitoring;

import dev.parley.db.Database;
import dev.parley.metrics.Metric;
import dev.parley.monitoring.BacklogStore.Backlog;
import dev.parley.node.CachedCheck;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The metrics that are read from the database: one statement when they are scraped, at most every 15 seconds. */
@Singleton
public final class BacklogMetrics {
    private static final Duration PERIOD = Duration.ofSeconds(15);

    /** Half of what Prometheus waits. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final CachedCheck<Backlog> check;
    private volatile Backlog latest = Backlog.UNKNOWN;

    public BacklogMetrics(Database database, Clock clock) {
        BacklogStore store = database.statements(BacklogStore.class);
        this.check = new CachedCheck<>("backlog", PERIOD, TIMEOUT, Backlog.UNKNOWN, () -> store.read(clock.instant()));
        Metric.TICKETS_OPEN.gauge(this, backlog -> backlog.latest.openTickets());
        Metric.TICKETS_OVERDUE.gauge(this, backlog -> backlog.latest.overdueTickets());
        Metric.MESSAGE_OLDEST.gauge(this, backlog -> backlog.latest.oldestSeconds());
    }

    /** Completes when the metrics are up to date, or unknown because the database does not respond. */
    CompletableFuture<Void> refresh() {
        return check.result().thenAccept(backlog -> latest = backlog);
    }

    Backlog latest() {
        return latest;
    }
}
