package dev.parley.message.run;

import dev.parley.metrics.Metric;
import io.micrometer.core.instrument.Timer;

/** The handling times of messages, by result. */
final class ProcessingMetrics {
    static final Timer ANSWERED = Metric.MESSAGE_PROCESSING.timer("answered");
    static final Timer TAKEN = Metric.MESSAGE_PROCESSING.timer("taken");
    static final Timer FAILED = Metric.MESSAGE_PROCESSING.timer("failed");

    private ProcessingMetrics() {}
}
