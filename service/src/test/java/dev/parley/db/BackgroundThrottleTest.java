package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackgroundThrottleTest {
    private final BackgroundThrottle throttle = new BackgroundThrottle();
    private final BackgroundThrottle.Budget budget = throttle.budget(1_000);

    @Test
    void aNodeThatKeepsUpHoldsNothingBack() {
        for (int i = 0; i < 100; i++) {
            throttle.onWriteCompleted(Duration.ofMillis(4).toNanos());
            assertThat(budget.tryBegin()).isTrue();
            budget.charge(1_000);
        }
        assertThat(throttle.isBusy()).isFalse();
        assertThat(budget.tryBegin()).isTrue();
    }

    @Test
    void oneSlowCommitIsNotAnOverload() {
        throttle.onWriteCompleted(Duration.ofMillis(40).toNanos());
        assertThat(throttle.isBusy()).isFalse();
    }

    @Test
    void backgroundWorkIsLimitedToItsBudgetUnderOverload() throws InterruptedException {
        long startedAt = System.nanoTime();
        int done = 0;
        while (System.nanoTime() - startedAt < Duration.ofMillis(300).toNanos()) {
            throttle.onWriteCompleted(Duration.ofMillis(40).toNanos());
            if (budget.tryBegin()) {
                budget.charge(9);
                done += 10;
            }
            Thread.onSpinWait();
        }
        // 300 in 300 ms; plus at most 1,500 while the rate shrinks from 20,000 per second, halving every 50 ms.
        assertThat(done).isBetween(250, 2_200);
    }

    @Test
    void waitingWorkStartsOneByOne() {
        press(Duration.ofMillis(600));
        budget.charge(100);
        do {
            press(Duration.ofMillis(1));
        } while (!budget.tryBegin());
        int started = 1;
        for (int i = 1; i < 1_000; i++) {
            started += budget.tryBegin() ? 1 : 0;
        }
        assertThat(started).as("of a thousand that saw their chance at once").isBetween(1, 200);
    }

    private void press(Duration time) {
        long startedAt = System.nanoTime();
        while (System.nanoTime() - startedAt < time.toNanos()) {
            throttle.onWriteCompleted(Duration.ofMillis(40).toNanos());
            budget.charge(0);
            Thread.onSpinWait();
        }
    }

    @Test
    void theOverloadEndsWithTheLastWrite() throws InterruptedException {
        press(Duration.ofMillis(400));
        budget.charge(1_000);
        assertThat(budget.tryBegin()).isFalse();
        budget.await();
        assertThat(throttle.isBusy()).isFalse();
    }
}
