package dev.parley.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.OrganizationId;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FairSemaphoreTest {
    private final OrganizationId one = OrganizationId.next();
    private final OrganizationId other = OrganizationId.next();

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 1", "4, 2"})
    void oneOrganizationHoldsAtMostHalfOfThePermits(int all, int half) throws Exception {
        var semaphore = new FairSemaphore(all);
        for (int i = 0; i < half; i++) {
            assertThat(semaphore.take(one, Duration.ZERO)).isNotNull();
        }
        assertThat(semaphore.take(one, Duration.ZERO)).isNull();
        assertThat(semaphore.taken()).isEqualTo(half);
        for (int i = half; i < all; i++) {
            assertThat(semaphore.take(OrganizationId.next(), Duration.ZERO)).isNotNull();
        }
        assertThat(semaphore.take(other, Duration.ZERO)).isNull();
    }

    @Test
    void severalPermitsAreTakenAtOnce() throws Exception {
        var semaphore = new FairSemaphore(8);
        try (FairSemaphore.FairPermit permit = semaphore.take(one, 3, Duration.ZERO)) {
            assertThat(permit).isNotNull();
            assertThat(semaphore.take(one, 2, Duration.ZERO)).isNull();
            assertThat(semaphore.take(other, 9, Duration.ZERO)).isNotNull();
            assertThat(semaphore.taken()).isEqualTo(7);
        }
        assertThat(semaphore.taken()).isEqualTo(4);
    }

    @Test
    void closedPermitIsFreeAgain() throws Exception {
        var semaphore = new FairSemaphore(1);
        try (FairSemaphore.FairPermit permit = semaphore.take(one, Duration.ZERO)) {
            assertThat(permit).isNotNull();
            assertThat(semaphore.take(other, Duration.ZERO)).isNull();
        }
        try (FairSemaphore.FairPermit permit = semaphore.take(other, Duration.ZERO)) {
            assertThat(permit).isNotNull();
        }
    }
}
