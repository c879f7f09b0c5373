package dev.parley.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.id.OrganizationId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counts by hour and by day, with PostgreSQL. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class UsageReportTest {
    private static final int THIRTY_DAYS = 720;

    @Inject
    UsageStore store;

    @Inject
    UsageReport report;

    private final OrganizationId organization = Tenant.create(1_000).organization();
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.HOURS);

    @Test
    void hoursAreAddedUpByDay() {
        Instant tenDaysAgo = now.minus(Duration.ofDays(10));
        messagesAt(now, 1);
        messagesAt(tenDaysAgo.truncatedTo(ChronoUnit.DAYS), 2);
        messagesAt(tenDaysAgo.truncatedTo(ChronoUnit.DAYS).plus(23, ChronoUnit.HOURS), 4);
        messagesAt(now.minus(Duration.ofDays(40)), 8);
        messagesAt(now.minus(Duration.ofDays(70)), 16);

        UsageSummary summary = report.of(organization, THIRTY_DAYS);

        assertThat(summary.step()).isEqualTo("day");
        assertThat(summary.total().messagesReceived()).isEqualTo(7);
        assertThat(summary.previous().messagesReceived()).isEqualTo(8);
        assertThat(at(summary, tenDaysAgo.truncatedTo(ChronoUnit.DAYS))).isEqualTo(6);
        assertThat(at(summary, now.truncatedTo(ChronoUnit.DAYS))).isEqualTo(1);
    }

    @Test
    void aDayIsShownByHour() {
        messagesAt(now.minus(Duration.ofHours(3)), 1);
        messagesAt(now.minus(Duration.ofHours(30)), 2);

        UsageSummary summary = report.of(organization, 24);

        assertThat(summary.step()).isEqualTo("hour");
        assertThat(summary.total().messagesReceived()).isEqualTo(1);
        assertThat(summary.previous().messagesReceived()).isEqualTo(2);
        assertThat(at(summary, now.minus(Duration.ofHours(3)))).isEqualTo(1);
    }

    private void messagesAt(Instant hour, long count) {
        store.add(List.of(new UsageKey(organization, hour, UsageMetric.MESSAGES_RECEIVED.text())), List.of(count));
    }

    private static long at(UsageSummary summary, Instant from) {
        return summary.series().stream()
                .filter(bucket -> bucket.from().equals(from))
                .findFirst()
                .orElseThrow()
                .numbers()
                .messagesReceived();
    }
}
