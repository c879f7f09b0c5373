package dev.parley.llm;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tries a question again after transient faults: three times, after about 0.5, 1 and 2 seconds, or when the service
 * says. A service that wants longer than {@link #LONGEST_WAIT}, or longer than the deadline, is not waited for: the
 * fault with its {@code retryAfter} goes to the caller, who can put the work aside.
 */
record ModelRetries(RetryDelay sleeper) {
    static final int RETRIES = 3;
    static final Duration FIRST_WAIT = Duration.ofMillis(500);
    static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    /** One try, which must end within the given time. */
    @FunctionalInterface
    interface ModelAttempt {
        ChatReply run(Duration remaining) throws ChatModelException, InterruptedException;
    }

    ChatReply run(boolean again, Duration deadline, ModelAttempt attempt)
            throws ChatModelException, InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        Optional<ChatReply> refused = Optional.empty();
        for (int failures = 0; ; failures++) {
            Duration remaining = Duration.ofNanos(end - System.nanoTime());
            if (!remaining.isPositive()) {
                throw ChatModelException.transientFault("The chat model did not answer in time.", null)
                        .after(refused);
            }
            try {
                ChatReply reply = attempt.run(remaining);
                return refused.map(reply::after).orElse(reply);
            } catch (ChatModelException failed) {
                ChatModelException fault = failed.after(refused);
                refused = fault.answered();
                Duration wait = fault.retryAfter().orElse(backoff(failures));
                Duration left = Duration.ofNanos(end - System.nanoTime());
                if (!again
                        || !fault.isTransient()
                        || failures == RETRIES
                        || wait.compareTo(LONGEST_WAIT) > 0
                        || wait.compareTo(left) >= 0) {
                    throw fault;
                }
                sleeper.sleep(wait);
            }
        }
    }

    /** Doubles each time, and is cut by up to half at random, so that many that failed together do not return together. */
    private static Duration backoff(int failures) {
        long full = FIRST_WAIT.toMillis() << failures;
        return Duration.ofMillis(full - ThreadLocalRandom.current().nextLong(full / 2 + 1));
    }
}
