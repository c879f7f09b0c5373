package dev.parley.workflow.instance.core.plan;

import dev.parley.workflow.definition.core.document.TaskId;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The delay before an automatic retry: 1, 2 and 4 seconds, each with a jitter of ±25%, so that tasks that failed
 * together do not retry together. The jitter is derived from instance, task and attempt, so that the same event always
 * leads to the same decision.
 */
public final class RetryBackoff {
    /** Automatic retries per run. */
    public static final int AUTOMATIC_RETRIES = 3;

    /** Additional runs under {@code error_policy} RETRY. */
    public static final int POLICY_RETRIES = 5;

    private static final long FIRST_MILLIS = 1_000;

    /** The longest accepted {@code Retry-After}: a server must not block an instance for a day. */
    private static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(5);

    private RetryBackoff() {}

    /**
     * @param retries automatic retries already spent in this run
     * @param retryAfter the delay requested by the remote side; the longer of both applies
     */
    public static Duration delay(
            String instanceId, TaskId task, int attempt, int retries, @Nullable Duration retryAfter) {
        long seed = 31L * (31L * instanceId.hashCode() + task.value().hashCode()) + attempt;
        double spread = 0.75 + new SplittableRandom(seed).nextDouble() / 2;
        Duration own = Duration.ofMillis(Math.round((FIRST_MILLIS << retries) * spread));
        if (retryAfter == null || retryAfter.compareTo(own) <= 0) {
            return own;
        }
        return retryAfter.compareTo(MAX_RETRY_AFTER) < 0 ? retryAfter : MAX_RETRY_AFTER;
    }
}
