package dev.parley.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.ratelimit.core.SlidingMinute.GrantResult;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SlidingMinuteTest {
    private static final long NOW = 1_000_000;

    @Test
    void aPermitCountsForSixtySeconds() {
        GrantResult first = SlidingMinute.EMPTY.acquire(NOW, 100, 100);
        assertThat(first.granted()).isEqualTo(100);
        SlidingMinute after = first.after();
        assertThat(after.remaining(NOW, 100)).isZero();
        assertThat(after.secondsToNext(NOW, 100)).isEqualTo(60);
        assertThat(after.acquire(NOW + 59_999, 100, 1).granted()).isZero();
        assertThat(after.secondsToNext(NOW + 59_999, 100)).isEqualTo(1);
        assertThat(after.acquire(NOW + 60_000, 100, 1).granted()).isEqualTo(1);
        assertThat(after.remaining(NOW + 60_000, 100)).isEqualTo(100);
    }

    @Test
    void aLoweredLimitRefusesUntilEnoughHasPassed() {
        SlidingMinute taken = SlidingMinute.EMPTY
                .acquire(NOW, 100, 30)
                .after()
                .acquire(NOW + 5_000, 100, 20)
                .after();
        assertThat(taken.acquire(NOW + 6_000, 10, 1).granted()).isZero();
        assertThat(taken.acquire(NOW + 6_000, 51, 5).granted()).isEqualTo(1);
        assertThat(taken.secondsToNext(NOW + 6_000, 51)).isEqualTo(54);
        assertThat(taken.secondsToNext(NOW + 6_000, 10)).isEqualTo(59);
    }

    @Test
    void aClockSetBackDelaysAtMostAMinute() {
        SlidingMinute taken =
                SlidingMinute.EMPTY.acquire(NOW + 3_600_000, 100, 60).after();
        GrantResult behind = taken.acquire(NOW, 100, 60);
        assertThat(behind.granted()).isEqualTo(40);
        assertThat(behind.after().secondsToNext(NOW, 100)).isEqualTo(60);
        assertThat(behind.after().acquire(NOW + 59_999, 100, 1).granted()).isZero();
        assertThat(behind.after().acquire(NOW + 60_000, 100, 1).granted()).isEqualTo(1);
    }

    @Test
    void returnedPermitsCanBeAcquiredAgain() {
        SlidingMinute taken = SlidingMinute.EMPTY
                .acquire(NOW, 10, 6)
                .after()
                .acquire(NOW + 1_000, 10, 4)
                .after();
        assertThat(taken.acquire(NOW + 1_000, 10, 1).granted()).isZero();
        assertThat(taken.release(5).acquire(NOW + 1_000, 10, 9).granted()).isEqualTo(5);
        assertThat(taken.release(100)).isEqualTo(SlidingMinute.EMPTY);
    }

    @Test
    void aLargeLimitKeepsTheRowSmall() {
        SlidingMinute minute = SlidingMinute.EMPTY;
        for (int i = 0; i < 6_000; i++) {
            minute = minute.acquire(NOW + 10L * i, 1_000_000, 1).after();
        }
        assertThat(minute.taken()).hasSizeLessThan(250);
        assertThat(minute.remaining(NOW + 59_999, 1_000_000)).isEqualTo(1_000_000 - 6_000);
    }

    @Property
    void noMinuteHoldsMoreThanTheLimit(
            @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 20_000) Integer> pauses,
            @ForAll @IntRange(min = 1, max = 30) int limit,
            @ForAll @IntRange(min = 1, max = 15) int wanted) {
        SlidingMinute minute = SlidingMinute.EMPTY;
        long now = NOW;
        List<Long> granted = new ArrayList<>();
        for (int pause : pauses) {
            now += pause;
            GrantResult result = minute.acquire(now, limit, wanted);
            for (int i = 0; i < result.granted(); i++) {
                granted.add(now);
            }
            minute = SlidingMinute.parse(result.after().text());
            long since = now - 60_000;
            assertThat(granted.stream().filter(at -> at > since)).hasSizeLessThanOrEqualTo(limit);
            if (result.granted() < wanted) {
                assertThat(minute.remaining(now, limit)).isZero();
                int wait = minute.secondsToNext(now, limit);
                assertThat(wait).isBetween(1, 60);
                assertThat(minute.acquire(now + wait * 1_000L, limit, 1).granted())
                        .isEqualTo(1);
            }
        }
    }
}
