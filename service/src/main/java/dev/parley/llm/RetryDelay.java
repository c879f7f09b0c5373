package dev.parley.llm;

import java.time.Duration;

/** {@link Thread#sleep(Duration)}, which tests replace. */
@FunctionalInterface
public interface RetryDelay {
    void sleep(Duration duration) throws InterruptedException;
}
