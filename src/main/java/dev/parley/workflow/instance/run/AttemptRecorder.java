package dev.parley.workflow.instance.run;

import dev.parley.id.NodeId;
import dev.parley.usage.UsageCounters;
import dev.parley.usage.UsageMetric;
import dev.parley.workflow.attempt.AttemptStore;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.ModelUsage;
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
public final class AttemptRecorder {
    private static final Logger LOG = Logger.getLogger(AttemptRecorder.class);

    private final AttemptStore store;
    private final UsageCounters counters;
    private final Clock clock;

    public AttemptRecorder(AttemptStore store, UsageCounters counters, Clock clock) {
        this.store = store;
        this.counters = counters;
        this.clock = clock;
    }

    /** Counts an attempt that ended and was stored with its instance. */
    public void count(TaskAttempt attempt) {
        ModelUsage used = attempt.usage();
        counters.add(attempt.key().organization(), UsageMetric.INPUT_TOKENS, used.inputTokens());
        counters.add(attempt.key().organization(), UsageMetric.OUTPUT_TOKENS, used.outputTokens());
        counters.add(attempt.key().organization(), UsageMetric.COST_MICROS, used.costMicros());
    }

    /** Keeps an attempt that nobody waits for any more. */
    public void dropped(NodeId node, TaskAttempt attempt) {
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
    ModelUsage lose(NodeId node, TaskAttempt.AttemptKey key) {
        List<TaskAttempt> left = store.underWay(key);
        for (TaskAttempt one : left.isEmpty() ? List.of(TaskAttempt.unknown(key)) : left) {
            count(one);
            store.store(node, one.lost(clock.instant().truncatedTo(ChronoUnit.MILLIS)));
        }
        return store.lost(key);
    }
}
