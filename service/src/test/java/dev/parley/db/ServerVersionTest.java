package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerVersionTest {
    @ParameterizedTest
    @ValueSource(ints = {150_000, 150_014, 160_013, 170_011, 180_002, 180_006, 190_000})
    void safeVersionsAreAccepted(int number) {
        assertThat(ServerVersion.violation(number)).isEmpty();
    }

    @Test
    void versionsThatAreTooOldOrLoseUpdatesAreRefusedByName() {
        assertThat(ServerVersion.violation(140_020))
                .hasValueSatisfying(said -> assertThat(said).contains("14.20", "15 or later"));
        for (int number : new int[] {180_000, 180_001}) {
            assertThat(ServerVersion.violation(number))
                    .hasValueSatisfying(said -> assertThat(said).contains("18." + number % 10, "18.2 or later"));
        }
    }
}
