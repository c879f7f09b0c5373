package dev.parley.llm;

import java.time.Duration;

/** {@link Thread#sleep(Duration)}, which tests replace. */
public @FunctionalInterface interface RetryDelay {
    void sleep(Duration duration) throws InterruptedException;
}
