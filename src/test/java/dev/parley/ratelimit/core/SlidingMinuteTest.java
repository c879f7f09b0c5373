package dev.parley.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.ratelimit.core.SlidingMinute.Result;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SlidingMinuteTest {
    @Test
    void whatIsTakenCountsForSixtySecondsAfterTheEndOfItsSecond() {
        Result first = SlidingMinute.EMPTY.take(1_000, 100, 100);
        assertThat(first.granted()).isEqualTo(100);
        assertThat(first.remaining()).isZero();
        Result refused = first.after().take(1_060, 100, 1);
        assertThat(refused.granted()).isZero();
        assertThat(refused.retrySeconds()).isEqualTo(1);
        assertThat(refused.after().take(1_061, 100, 1).granted()).isEqualTo(1);
    }

    @Test
    void aLoweredLimitRefusesUntilEnoughHasPassed() {
        SlidingMinute taken = SlidingMinute.EMPTY.take(1_000, 100, 50).after();
        assertThat(taken.take(1_001, 10, 1).granted()).isZero();
        assertThat(taken.take(1_001, 51, 5).granted()).isEqualTo(1);
    }

    @Test
    void aClockThatIsBehindTakesFromTheLaterSecond() {
        SlidingMinute taken = SlidingMinute.EMPTY.take(1_010, 100, 60).after();
        Result behind = taken.take(1_005, 100, 60);
        assertThat(behind.granted()).isEqualTo(40);
        assertThat(behind.after().take(1_070, 100, 1).granted()).isZero();
        assertThat(behind.after().take(1_071, 100, 1).granted()).isEqualTo(1);
    }

    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        SlidingMinute taken = SlidingMinute.EMPTY
                .take(1_000, 10, 6)
                .after()
                .take(1_001, 10, 4)
                .after();
        assertThat(taken.take(1_001, 10, 1).granted()).isZero();
        assertThat(taken.giveBack(5).take(1_001, 10, 9).granted()).isEqualTo(5);
        assertThat(taken.giveBack(100)).isEqualTo(SlidingMinute.EMPTY);
    }

    @Property
    void noMinuteHoldsMoreThanTheLimit(
            @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 20) Integer> pauses,
            @ForAll @IntRange(min = 1, max = 30) int limit,
            @ForAll @IntRange(min = 1, max = 15) int wanted) {
        SlidingMinute minute = SlidingMinute.EMPTY;
        long second = 5_000;
        List<Long> granted = new ArrayList<>();
        for (int pause : pauses) {
            second += pause;
            Result result = minute.take(second, limit, wanted);
            for (int i = 0; i < result.granted(); i++) {
                granted.add(second);
            }
            minute = SlidingMinute.parse(result.after().text());
            long now = second;
            // The first second counts too: what was taken at its end is not a minute old yet.
            assertThat(granted.stream().filter(at -> at >= now - SlidingMinute.WINDOW_SECONDS))
                    .hasSizeLessThanOrEqualTo(limit);
            if (result.granted() < wanted) {
                assertThat(result.remaining()).isZero();
                assertThat(minute.take(second + result.retrySeconds(), limit, 1).granted())
                        .isEqualTo(1);
            }
        }
    }
}
