package dev.parley.llm;

import java.time.Duration;

/** Waits; tests put a clock of their own in the place of {@link Thread#sleep(Duration)}. */
@FunctionalInterface
interface RetryDelay {
    void sleep(Duration duration) throws InterruptedException;
}
