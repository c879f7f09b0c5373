package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PrecedenceTest {
    private final Precedence precedence = new Precedence();
    private final Precedence.Share share = precedence.share(1_000);

    @Test
    void aNodeThatKeepsUpHoldsNothingBack() {
        for (int i = 0; i < 100; i++) {
            precedence.waited(Duration.ofMillis(4).toNanos());
            share.charge(1_000);
        }
        assertThat(precedence.isBusy()).isFalse();
        assertThat(share.mustWait()).isFalse();
    }

    @Test
    void oneSlowCommitIsNoPressure() {
        precedence.waited(Duration.ofMillis(40).toNanos());
        assertThat(precedence.isBusy()).isFalse();
    }

    @Test
    void whereStoringIsSlowOtherWorkGetsItsShareAndNoMore() throws InterruptedException {
        long begun = System.nanoTime();
        int done = 0;
        while (System.nanoTime() - begun < Duration.ofMillis(300).toNanos()) {
            precedence.waited(Duration.ofMillis(40).toNanos());
            if (!share.mustWait()) {
                share.charge(10);
                done += 10;
            }
            Thread.onSpinWait();
        }
        // 300 in 300 ms; the first batches are free, since pressure shows only after some commits.
        assertThat(done).isBetween(100, 500);
    }

    @Test
    void thePressureEndsByItselfWhenNothingComesAnyMore() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            precedence.waited(Duration.ofMillis(40).toNanos());
        }
        share.charge(1_000_000);
        assertThat(share.mustWait()).isTrue();
        share.await();
        assertThat(precedence.isBusy()).isFalse();
    }
}
