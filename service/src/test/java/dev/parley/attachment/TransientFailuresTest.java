package dev.parley.attachment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.OrganizationId;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TransientFailuresTest {
    @Test
    void documentThatAlwaysFailsIsRetriedFourTimes() {
        var failures = new TransientFailures();
        OrganizationId organization = OrganizationId.next();
        assertThat(IntStream.range(0, 6).mapToObj(_ -> failures.mayRetry(organization, "a")))
                .containsExactly(true, true, true, true, false, false);
        assertThat(failures.mayRetry(organization, "b")).isTrue();
        assertThat(failures.mayRetry(OrganizationId.next(), "a")).isTrue();
    }
}
