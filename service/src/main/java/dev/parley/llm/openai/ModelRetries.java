package dev.parley.llm.openai;

import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.RetryDelay;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Retries a request after transient failures: three times, after about 0.5, 1 and 2 seconds, or after the delay that
 * the service requests. A delay longer than {@link #MAX_DELAY} or the time for retries ends them, and the caller can
 * reschedule the work by the failure's {@code retryAfter}.
 */
record ModelRetries(RetryDelay sleeper) {
    static final int RETRIES = 3;
    static final Duration FIRST_DELAY = Duration.ofMillis(500);
    static final Duration MAX_DELAY = Duration.ofSeconds(30);

    /** One attempt, which must end within the remaining time. */
    @FunctionalInterface
    interface ModelAttempt {
        ChatReply run(Duration remaining) throws ChatModelException, InterruptedException;
    }

    /**
     * @param retryTime how long retries begin; zero for none
     * @param deadline for all attempts
     */
    ChatReply run(Duration retryTime, Duration deadline, ModelAttempt attempt)
            throws ChatModelException, InterruptedException {
        long start = System.nanoTime();
        long end = start + deadline.toNanos();
        long retryEnd = start + Math.min(retryTime.toNanos(), deadline.toNanos());
        Optional<ChatReply> unusable = Optional.empty();
        for (int failures = 0; ; failures++) {
            Duration remaining = Duration.ofNanos(end - System.nanoTime());
            if (!remaining.isPositive()) {
                throw ChatModelException.transientFault("The chat model did not answer in time.", null)
                        .after(unusable);
            }
            try {
                ChatReply reply = attempt.run(remaining);
                return unusable.map(reply::after).orElse(reply);
            } catch (ChatModelException failed) {
                ChatModelException fault = failed.after(unusable);
                unusable = fault.answered();
                Duration delay = fault.retryAfter().orElse(backoff(failures));
                Duration left = Duration.ofNanos(retryEnd - System.nanoTime());
                if (!fault.isTransient()
                        || failures == RETRIES
                        || delay.compareTo(MAX_DELAY) > 0
                        || delay.compareTo(left) >= 0) {
                    throw fault;
                }
                sleeper.sleep(delay);
            }
        }
    }

    /** Exponential, reduced by up to half at random, so that requests that failed together are not retried together. */
    private static Duration backoff(int failures) {
        long max = FIRST_DELAY.toMillis() << failures;
        return Duration.ofMillis(max - ThreadLocalRandom.current().nextLong(max / 2 + 1));
    }
}
