package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.TaskId;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before an automatic retry: 1, 2 and 4 seconds, each spread by a quarter to both sides, so that
 * tasks which failed together do not come back together. The spread follows from instance, task and attempt, so that
 * the same event always makes the same decision.
 */
final class RetryBackoff {
    /** Automatic retries of one run. */
    static final int AUTOMATIC_RETRIES = 3;

    /** Runs that {@code error_policy} RETRY adds. */
    static final int POLICY_RETRIES = 5;

    private static final long FIRST_MILLIS = 1_000;

    /** The longest {@code Retry-After} that is honoured: a server must not park an instance for a day. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private RetryBackoff() {}

    /**
     * @param retries automatic retries that this run already had
     * @param retryAfter what the other side asked for; the longer of both counts
     */
    static Duration delay(String instanceId, TaskId task, int attempt, int retries, @Nullable Duration retryAfter) {
        long seed = 31L * (31L * instanceId.hashCode() + task.value().hashCode()) + attempt;
        double spread = 0.75 + new SplittableRandom(seed).nextDouble() / 2;
        Duration own = Duration.ofMillis(Math.round((FIRST_MILLIS << retries) * spread));
        if (retryAfter == null || retryAfter.compareTo(own) <= 0) {
            return own;
        }
        return retryAfter.compareTo(LONGEST) < 0 ? retryAfter : LONGEST;
    }
}
