package dev.parley.usage;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.node.Ticker;
import dev.parley.usage.UsageStore.UsageRows;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the usage of organizations. Hot paths only increment a number in memory; every few seconds the numbers are
 * added to the table. They are statistics: a killed node loses its last {@link #FLUSH_INTERVAL}, and exact counts (the
 * rate limit, a task's tokens) are kept elsewhere.
 */
@Singleton
public final class UsageCounters {
    private static final Logger LOG = Logger.getLogger(UsageCounters.class);
    private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(2);

    private final UsageStore store;
    private final Clock clock;
    private final Map<UsageKey, Long> counts = new ConcurrentHashMap<>();
    private final Ticker timer = new Ticker("usage");

    public UsageCounters(Database database, Clock clock) {
        this.store = database.statements(UsageStore.class);
        this.clock = clock;
    }

    void start(@Observes @Priority(30) StartupEvent event) {
        timer.every(FLUSH_INTERVAL, this::flush);
    }

    void stop(@Observes @Priority(200) ShutdownEvent event) {
        timer.close();
        flush();
    }

    public void add(OrganizationId organization, UsageMetric metric, long value) {
        if (value != 0) {
            add(organization, null, metric.text(), value);
        }
    }

    /** Counts for the organization and for one of its workflows. */
    public void add(OrganizationId organization, WorkflowId workflow, UsageMetric metric, long value) {
        if (value != 0) {
            add(organization, null, metric.text(), value);
            add(organization, workflow, metric.text(), value);
        }
    }

    /** Counts a run that ended, with its duration. */
    public void ended(OrganizationId organization, WorkflowId workflow, UsageMetric how, Duration after) {
        add(organization, workflow, how, 1);
        add(organization, null, UsageMetric.DURATION + UsageMetric.bucket(after), 1);
    }

    private void add(OrganizationId organization, @Nullable WorkflowId workflow, String metric, long value) {
        Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
        counts.merge(new UsageKey(organization, workflow, hour, metric), value, Long::sum);
    }

    /** Writes the counts; after a failure they are written later. */
    synchronized void flush() {
        flush(key -> key.workflow() == null, store::add);
        flush(key -> key.workflow() != null, store::addOfWorkflows);
    }

    private void flush(Predicate<UsageKey> which, Consumer<UsageRows> write) {
        List<UsageKey> keys = new ArrayList<>();
        List<Long> values = new ArrayList<>();
        for (UsageKey key : List.copyOf(counts.keySet())) {
            Long value = which.test(key) ? counts.remove(key) : null;
            if (value != null) {
                keys.add(key);
                values.add(value);
            }
        }
        if (keys.isEmpty()) {
            return;
        }
        try {
            write.accept(new UsageRows(keys, values));
        } catch (RuntimeException e) {
            LOG.debugf("Cannot write usage counts; retrying: %s", e.getMessage());
            for (int i = 0; i < keys.size(); i++) {
                counts.merge(keys.get(i), values.get(i), Long::sum);
            }
        }
    }
}
