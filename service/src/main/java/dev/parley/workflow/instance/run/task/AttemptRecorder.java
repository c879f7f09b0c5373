package dev.parley.workflow.instance.run.task;

import dev.parley.usage.UsageCounters;
import dev.parley.usage.UsageMetric;
import dev.parley.workflow.attempt.AttemptStore;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.instance.store.InstanceHeader;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Records attempts that are not stored with a change of their instance, and counts the tokens of each attempt once,
 * when it ends. The tokens of test runs are recorded, but not counted.
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

    /** Counts an attempt that was stored with its instance. */
    public void count(InstanceHeader instance, TaskAttempt attempt) {
        if (instance.testRun()) {
            return;
        }
        ModelUsage used = attempt.usage();
        counters.add(instance.organization(), instance.workflow(), UsageMetric.INPUT_TOKENS, used.inputTokens());
        counters.add(instance.organization(), instance.workflow(), UsageMetric.OUTPUT_TOKENS, used.outputTokens());
        counters.add(instance.organization(), instance.workflow(), UsageMetric.COST_MICROS, used.costMicros());
    }

    /** Records an attempt whose result is dropped. */
    public void recordDropped(InstanceHeader instance, Consumer<TaskAttempt> storage, TaskAttempt attempt) {
        count(instance, attempt);
        record(storage, attempt.dropped());
    }

    /** Records an attempt in progress; a failure to do so does not fail the task. */
    void record(Consumer<TaskAttempt> storage, TaskAttempt attempt) {
        try {
            storage.accept(attempt);
        } catch (RuntimeException e) {
            LOG.debugf("Attempt of %s was not recorded: %s", attempt.key().task(), e.getMessage());
        }
    }

    /**
     * Marks the executions of an attempt whose node died as lost.
     *
     * @param journaled the usage of all calls of the attempt that were journaled; the records may lack the last ones
     * @return the total usage of the lost executions, which the instance does not include yet
     */
    ModelUsage recordLost(
            InstanceHeader instance, Consumer<TaskAttempt> storage, TaskAttempt.AttemptKey key, ModelUsage journaled) {
        List<TaskAttempt> left = store.underWay(key);
        ModelUsage unrecorded = journaled.minus(store.lost(key));
        for (TaskAttempt found : left.isEmpty() ? List.of(TaskAttempt.unknown(key)) : left) {
            TaskAttempt one = found.using(unrecorded);
            unrecorded = unrecorded.minus(one.usage());
            count(instance, one);
            storage.accept(one.lost(clock.instant().truncatedTo(ChronoUnit.MILLIS)));
        }
        return store.lost(key);
    }
}
