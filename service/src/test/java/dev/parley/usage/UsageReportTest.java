package dev.parley.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.usage.UsageStore.UsageRows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counts by hour and by day, with PostgreSQL. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class UsageReportTest {
    private static final int THIRTY_DAYS = 720;

    @Inject
    Database database;

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

        UsageSummary summary = report.of(organization, THIRTY_DAYS, ZoneOffset.UTC);

        assertThat(summary.step()).isEqualTo("day");
        assertThat(summary.total().messagesReceived()).isEqualTo(7);
        assertThat(summary.previous().messagesReceived()).isEqualTo(8);
        assertThat(at(summary, tenDaysAgo.truncatedTo(ChronoUnit.DAYS))).isEqualTo(6);
        assertThat(at(summary, now.truncatedTo(ChronoUnit.DAYS))).isEqualTo(1);
    }

    @Test
    void daysStartAtMidnightOfTheTimeZone() {
        ZoneId newYork = ZoneId.of("America/New_York");
        Instant midnight =
                now.atZone(newYork).minusDays(10).truncatedTo(ChronoUnit.DAYS).toInstant();
        messagesAt(midnight.minus(1, ChronoUnit.HOURS), 1);
        messagesAt(midnight, 2);
        messagesAt(midnight.plus(22, ChronoUnit.HOURS), 4);

        UsageSummary summary = report.of(organization, THIRTY_DAYS, newYork);

        assertThat(at(summary, midnight)).isEqualTo(6);
        assertThat(summary.total().messagesReceived()).isEqualTo(7);
    }

    @Test
    void aDayIsShownByHour() {
        messagesAt(now.minus(Duration.ofHours(3)), 1);
        messagesAt(now.minus(Duration.ofHours(30)), 2);

        UsageSummary summary = report.of(organization, 24, ZoneId.of("Asia/Kolkata"));

        assertThat(summary.step()).isEqualTo("hour");
        assertThat(summary.total().messagesReceived()).isEqualTo(1);
        assertThat(summary.previous().messagesReceived()).isEqualTo(2);
        assertThat(at(summary, now.minus(Duration.ofHours(3)))).isEqualTo(1);
    }

    @Test
    void usageIsAddedUpByWorkflow() {
        WorkflowId busy = WorkflowId.next();
        WorkflowId quiet = WorkflowId.next();
        List<UsageKey> keys = List.of(
                new UsageKey(organization, busy, now, UsageMetric.RUNS_COMPLETED.text()),
                new UsageKey(organization, busy, now.minus(Duration.ofHours(2)), UsageMetric.RUNS_FAILED.text()),
                new UsageKey(organization, busy, now, UsageMetric.COST_MICROS.text()),
                new UsageKey(organization, quiet, now, UsageMetric.RUNS_COMPLETED.text()),
                new UsageKey(organization, quiet, now.minus(Duration.ofDays(3)), UsageMetric.RUNS_COMPLETED.text()));
        store().addOfWorkflows(new UsageRows(keys, List.of(4L, 2L, 700L, 5L, 100L)));
        store().addOfWorkflows(new UsageRows(List.of(keys.getFirst()), List.of(1L)));

        List<UsageOfWorkflow> workflows =
                report.of(organization, 24, ZoneOffset.UTC).workflows();

        assertThat(workflows)
                .containsExactly(
                        new UsageOfWorkflow(busy, 5, 2, 0, 0, 0, 0, 700),
                        new UsageOfWorkflow(quiet, 5, 0, 0, 0, 0, 0, 0));
    }

    private void messagesAt(Instant hour, long count) {
        var key = new UsageKey(organization, null, hour, UsageMetric.MESSAGES_RECEIVED.text());
        store().add(new UsageRows(List.of(key), List.of(count)));
    }

    private UsageStore store() {
        return database.statements(UsageStore.class);
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
