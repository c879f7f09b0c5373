package dev.parley.workflow.instance.local;

import dev.parley.usage.Metric;
import dev.parley.usage.UsageCounters;
import dev.parley.workflow.instance.StoredInstance;
import dev.parley.workflow.instance.core.InstanceState;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/** Counts instances that ended and how long they took, for the overview. */
@Singleton
public final class EndedRuns {
    private final UsageCounters counters;

    public EndedRuns(UsageCounters counters) {
        this.counters = counters;
    }

    /** Counts the instance if it ended; to be called by the node that stored the end, once. */
    void count(StoredInstance instance) {
        InstanceState state = instance.state();
        Metric how =
                switch (state.status()) {
                    case COMPLETED -> Metric.RUNS_COMPLETED;
                    case FAILED -> Metric.RUNS_FAILED;
                    case CANCELLED -> Metric.RUNS_CANCELLED;
                    case TERMINATED -> Metric.RUNS_TERMINATED;
                    case RUNNING, PAUSED -> null;
                };
        Instant finished = state.finishedAt();
        if (how == null || finished == null) {
            return;
        }
        counters.ended(instance.header().organization(), how, Duration.between(state.createdAt(), finished));
    }
}
