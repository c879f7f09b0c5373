package dev.parley.workflow.instance.local;

import dev.parley.id.NodeId;
import dev.parley.usage.Metric;
import dev.parley.usage.UsageCounters;
import dev.parley.workflow.attempt.AttemptStore;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.Usage;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Keeps the attempts that no change of their instance is stored with, and counts what all of them used, each once, when
 * it ends.
 */
@Singleton
public final class AttemptLog {
    private static final Logger LOG = Logger.getLogger(AttemptLog.class);

    private final AttemptStore store;
    private final UsageCounters counters;
    private final Clock clock;

    public AttemptLog(AttemptStore store, UsageCounters counters, Clock clock) {
        this.store = store;
        this.counters = counters;
        this.clock = clock;
    }

    /** Counts an attempt that ended and was stored with its instance. */
    void count(TaskAttempt attempt) {
        Usage used = attempt.usage();
        counters.add(attempt.key().organization(), Metric.INPUT_TOKENS, used.inputTokens());
        counters.add(attempt.key().organization(), Metric.OUTPUT_TOKENS, used.outputTokens());
        counters.add(attempt.key().organization(), Metric.COST_MICROS, used.costMicros());
    }

    /** Keeps an attempt that nobody waits for any more. */
    void dropped(NodeId node, TaskAttempt attempt) {
        count(attempt);
        keep(node, attempt.dropped());
    }

    /** Keeps an attempt as it stands; whether that succeeds must not matter to the task. */
    void keep(NodeId node, TaskAttempt attempt) {
        try {
            store.store(node, attempt);
        } catch (RuntimeException e) {
            LOG.debugf("An attempt of %s is not kept: %s", attempt.key().task(), e.getMessage());
        }
    }

    /**
     * Marks what an attempt did before its node was gone as lost.
     *
     * @return what all lost executions of the attempt used, which its instance does not know of yet
     */
    Usage lose(NodeId node, TaskAttempt.Key key) {
        List<TaskAttempt> left = store.underWay(key);
        for (TaskAttempt one : left.isEmpty() ? List.of(TaskAttempt.unknown(key)) : left) {
            count(one);
            store.store(node, one.lost(clock.instant().truncatedTo(ChronoUnit.MILLIS)));
        }
        return store.lost(key);
    }
}
