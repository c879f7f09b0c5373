package dev.parley.message.run;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;

/** The handling times of messages, by result. */
final class ProcessingMetrics {
    static final Timer ANSWERED = timer("answered");
    static final Timer TAKEN = timer("taken");
    static final Timer FAILED = timer("failed");

    private ProcessingMetrics() {}

    private static Timer timer(String outcome) {
        return Timer.builder("parley.message.processing")
                .description("How long messages take in their handlers, by what became of them")
                .tag("outcome", outcome)
                .register(Metrics.globalRegistry);
    }
}
