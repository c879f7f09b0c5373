package dev.parley.webhook.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryScheduleTest {
    private static final double MIDDLE = 0.5;

    /** The pause after each failed attempt (docs/reference/events.md). */
    @ParameterizedTest
    @CsvSource({"1, PT5S", "2, PT5M", "3, PT30M", "4, PT2H", "5, PT5H", "6, PT10H", "7, PT14H", "8, PT20H", "9, PT24H"})
    void followsTheDocumentedSchedule(int attempts, Duration pause) {
        assertThat(RetrySchedule.after(status(500), attempts, Duration.ofHours(1), MIDDLE))
                .isEqualTo(new DeliveryStep.RetryDelivery(pause));
        assertThat(RetrySchedule.after(new ReceiverResponse.NoResponse(), attempts, Duration.ofHours(1), MIDDLE))
                .isEqualTo(new DeliveryStep.RetryDelivery(pause));
    }

    @Test
    void theTenthFailureIsTheLast() {
        assertThat(RetrySchedule.after(status(500), 10, Duration.ofHours(76), MIDDLE))
                .isEqualTo(new DeliveryStep.GivenUp());
    }

    @ParameterizedTest
    @CsvSource({
        "200, Delivered",
        "204, Delivered",
        "299, Delivered",
        "301, RetryDelivery",
        "302, RetryDelivery",
        "304, RetryDelivery",
        "308, RetryDelivery",
        "400, RetryDelivery",
        "404, RetryDelivery",
        "410, ReceiverGone",
        "429, RetryDelivery",
        "500, RetryDelivery",
        "503, RetryDelivery",
        "199, RetryDelivery"
    })
    void theStatusDecidesTheNextStep(int status, String step) {
        assertThat(RetrySchedule.after(status(status), 1, Duration.ZERO, MIDDLE)
                        .getClass()
                        .getSimpleName())
                .isEqualTo(step);
    }

    @ParameterizedTest
    @CsvSource({"500, , PT3M", "500, PT1M, PT3M", "500, PT10M, PT10M"})
    void aFailedManualRetryKeepsThePlannedAttempt(int status, Duration asked, Duration pause) {
        var response = new ReceiverResponse.StatusResponse(status, Optional.ofNullable(asked));
        assertThat(RetrySchedule.afterManualRetry(response, Duration.ofHours(1), Duration.ofMinutes(3)))
                .isEqualTo(new DeliveryStep.RetryDelivery(pause));
        assertThat(RetrySchedule.afterManualRetry(response, Duration.ofHours(85), Duration.ofMinutes(3)))
                .isEqualTo(new DeliveryStep.GivenUp());
    }

    @ParameterizedTest
    @CsvSource({"1, PT10M, PT10M", "1, PT1S, PT5S", "1, PT240H, PT24H", "9, PT1H, PT24H"})
    void retryAfterIsHonouredUpToTheMaximum(int attempts, Duration asked, Duration pause) {
        ReceiverResponse response = new ReceiverResponse.StatusResponse(503, Optional.of(asked));
        assertThat(RetrySchedule.after(response, attempts, Duration.ofHours(1), MIDDLE))
                .isEqualTo(new DeliveryStep.RetryDelivery(pause));
    }

    @Test
    void anOldEventIsGivenUpAtItsFirstFailure() {
        assertThat(RetrySchedule.after(status(500), 1, RetrySchedule.GIVE_UP_AFTER, MIDDLE))
                .isEqualTo(new DeliveryStep.GivenUp());
        assertThat(RetrySchedule.after(status(200), 1, RetrySchedule.GIVE_UP_AFTER, MIDDLE))
                .isEqualTo(new DeliveryStep.Delivered());
    }

    @Property(tries = 200)
    void chanceMovesAPauseByATenthAtMost(
            @ForAll @IntRange(min = 1, max = 9) int attempts, @ForAll @DoubleRange(max = 1) double chance) {
        long middle = pause(attempts, MIDDLE);
        assertThat(pause(attempts, chance)).isBetween(Math.round(middle * 0.9) - 1, Math.round(middle * 1.1) + 1);
    }

    private static long pause(int attempts, double chance) {
        return RetrySchedule.after(status(500), attempts, Duration.ZERO, chance)
                        instanceof DeliveryStep.RetryDelivery(Duration after)
                ? after.toMillis()
                : -1;
    }

    private static ReceiverResponse status(int code) {
        return new ReceiverResponse.StatusResponse(code, Optional.empty());
    }
}
