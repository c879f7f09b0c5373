package dev.parley.budget.usage;

import dev.parley.budget.core.BudgetOwner;
import dev.parley.budget.usage.ModelUsageStore.ModelUsageKey;
import dev.parley.budget.usage.ModelUsageStore.ModelUsageSums;
import dev.parley.budget.usage.ModelUsageStore.UsageCount;
import dev.parley.db.Database;
import dev.parley.llm.ChatReply;
import dev.parley.node.Ticker;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Counts the use of models by model, workflow, key and day: in memory, added to the table every few seconds. Budgets do
 * not depend on it; a killed node loses its last {@link #FLUSH_INTERVAL}.
 */
@Singleton
public final class ModelUsageCounters {
    private static final Logger LOG = Logger.getLogger(ModelUsageCounters.class);
    private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(2);

    private final ModelUsageStore store;
    private final Clock clock;
    private final Map<ModelUsageKey, ModelUsageSums> counts = new ConcurrentHashMap<>();
    private final Ticker timer = new Ticker("model-usage");

    ModelUsageCounters(Database database, Clock clock) {
        this.store = database.statements(ModelUsageStore.class);
        this.clock = clock;
    }

    void start(@Observes @Priority(30) StartupEvent event) {
        timer.every(FLUSH_INTERVAL, this::flush);
    }

    void stop(@Observes @Priority(200) ShutdownEvent event) {
        timer.close();
        flush();
    }

    /** Counts a reply, which is priced. */
    public void add(BudgetOwner owner, String model, ChatReply reply) {
        var key = new ModelUsageKey(
                owner.organization(),
                LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString(),
                model,
                owner.workflow(),
                owner.apiKey());
        counts.merge(key, ModelUsageSums.of(reply), ModelUsageSums::plus);
    }

    /** Writes the counts; after a failure they are written later. */
    synchronized void flush() {
        List<UsageCount> taken = new ArrayList<>();
        for (ModelUsageKey key : List.copyOf(counts.keySet())) {
            ModelUsageSums sums = counts.remove(key);
            if (sums != null) {
                taken.add(new UsageCount(key, sums));
            }
        }
        if (taken.isEmpty()) {
            return;
        }
        try {
            store.add(taken);
        } catch (RuntimeException e) {
            LOG.debugf("Cannot write the usage of models; retrying: %s", e.getMessage());
            taken.forEach(count -> counts.merge(count.key(), count.sums(), ModelUsageSums::plus));
        }
    }
}
