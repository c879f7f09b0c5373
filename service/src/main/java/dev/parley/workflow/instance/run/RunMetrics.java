package dev.parley.workflow.instance.run;

import dev.parley.id.WorkflowId;
import dev.parley.metrics.Metric;
import dev.parley.usage.UsageCounters;
import dev.parley.usage.UsageMetric;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.store.StoredInstance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Counts ended instances and their durations, for the overview and the metrics. Test runs do not count. */
@Singleton
public final class RunMetrics {
    /** Workflows with a label of their own: each is a few series for as long as the node runs. */
    private static final int MAX_LABELS = 100;

    private static final String OTHER_WORKFLOWS = "other";

    private final UsageCounters counters;
    private final Set<WorkflowId> labelled = ConcurrentHashMap.newKeySet();

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
        Metric.INSTANCES_FINISHED
                .counter(
                        label(instance.header().workflow()),
                        state.status().name().toLowerCase(Locale.ROOT))
                .increment();
    }

    String label(WorkflowId workflow) {
        boolean isLabelled = labelled.contains(workflow) || (labelled.size() < MAX_LABELS && labelled.add(workflow));
        return isLabelled ? workflow.text() : OTHER_WORKFLOWS;
    }
}
