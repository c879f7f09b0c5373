package dev.parley.workflow.instance.run;

import dev.parley.usage.UsageCounters;
import dev.parley.usage.UsageMetric;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.store.StoredInstance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/** Counts ended instances and their durations, for the overview. Test runs do not count. */
@Singleton
public final class RunMetrics {
    private final UsageCounters counters;

    public RunMetrics(UsageCounters counters) {
        this.counters = counters;
    }

    /** Counts the instance if it ended. The node that stored the end calls it once. */
    public void count(StoredInstance instance) {
        InstanceState state = instance.state();
        UsageMetric metric =
                switch (state.status()) {
                    case COMPLETED -> UsageMetric.RUNS_COMPLETED;
                    case FAILED -> UsageMetric.RUNS_FAILED;
                    case CANCELLED -> UsageMetric.RUNS_CANCELLED;
                    case TERMINATED -> UsageMetric.RUNS_TERMINATED;
                    case RUNNING, PAUSED -> null;
                };
        Instant finished = state.finishedAt();
        if (metric == null || finished == null || instance.header().testRun()) {
            return;
        }
        counters.ended(
                instance.header().organization(),
                instance.header().workflow(),
                metric,
                Duration.between(state.createdAt(), finished));
    }
}
