package dev.parley.bench;

import java.util.Optional;

/**
 * What one round measured.
 *
 * @param pgbench inserts a second
 * @param post with the time that processing took to catch up, and its replies a second over all
 * @param webhooks the same with a callback in every conversation
 * @param one the workflow of one task; empty while the service runs none
 */
record Round(
        double pgbench,
        Post post,
        Webhooks webhooks,
        Measured get,
        Load.Result bare,
        Optional<Measured> one,
        Optional<Measured> ten,
        FileTransfer files) {
    /** A load with the CPU that it took, in seconds. */
    record Measured(Load.Result load, Usage cpu) {
        double serviceCpu() {
            return 1_000 * cpu.service() / load.requests();
        }

        double databaseCpu() {
            return 1_000 * cpu.database() / load.requests();
        }
    }

    /**
     * Sending with a callback.
     *
     * @param during webhooks that were taken beside the load
     * @param backlog those that were taken after it
     * @param drainSeconds in which they were
     */
    record Webhooks(Load.Result post, long during, long backlog, double drainSeconds) {
        /** A second: of the backlog, when it is large enough to tell, else beside the load, which they kept pace with. */
        double rate() {
            return backlog * 10 > during ? backlog / drainSeconds : during / post.seconds();
        }
    }

    /**
     * Sending: its CPU counts up to the last reply.
     *
     * @param backlog messages that waited when the load ended
     * @param drainSeconds until they were processed
     * @param duringLoad replies a second beside the load
     */
    record Post(Measured measured, long backlog, double drainSeconds, double duringLoad) {
        double drainRate() {
            return backlog == 0 ? 0 : backlog / drainSeconds;
        }
    }
}
