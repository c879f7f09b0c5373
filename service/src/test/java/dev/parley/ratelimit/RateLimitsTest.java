package dev.parley.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.id.OrganizationId;
import dev.parley.ratelimit.core.SlidingMinute;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The permits that a node acquires, and the quota that it reports. */
class RateLimitsTest {
    private final Database database = TestPostgres.migrated();
    private final AtomicLong nanos = new AtomicLong();
    private final RateLimits limits = new RateLimits(database, nanos::get);
    private final OrganizationId organization = OrganizationId.next();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aSlowSenderSeesOnePermitGoWithEachMessage() {
        for (int sent = 1; sent <= 20; sent++) {
            take(1_000);
            assertThat(limits.quota(organization, 1_000).remaining()).isEqualTo(1_000 - sent);
            pass(Duration.ofSeconds(3));
        }
        assertThat(counted()).isEqualTo(20);
    }

    @Test
    void unusedPermitsAreReturned() {
        for (int i = 0; i < 5; i++) {
            take(1_000);
        }
        assertThat(counted()).as("taken as 1, 2 and 4").isEqualTo(7);
        pass(Duration.ofSeconds(3));
        assertThat(limits.quota(organization, 1_000).remaining()).isEqualTo(995);
        take(1_000);
        assertThat(limits.quota(organization, 1_000).remaining()).isEqualTo(994);
        assertThat(counted()).isEqualTo(6);
    }

    @Test
    void prefetchedPermitsAreUsableUpToTheLimit() {
        for (int i = 0; i < 200; i++) {
            take(201);
        }
        assertThat(counted()).isEqualTo(201);
        pass(Duration.ofSeconds(3));
        assertThat(limits.isExhausted(organization, 201)).isFalse();
        take(201);
        assertThat(limits.isExhausted(organization, 201)).isTrue();
        assertThat(limits.acquire(organization, 201).join()).isFalse();
    }

    @Test
    void aFastSenderRarelyAsksTheDatabase() {
        database.change(handle -> handle.execute("""
                CREATE TABLE asked (at timestamptz);
                CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql
                    AS 'BEGIN INSERT INTO asked VALUES (now()); RETURN NULL; END';
                CREATE TRIGGER note AFTER UPDATE ON message_rate FOR EACH ROW EXECUTE FUNCTION note();
                """));
        for (int i = 0; i < 10_000; i++) {
            take(1_000_000);
        }
        int asked = database.with(handle ->
                handle.select("SELECT count(*) FROM asked").mapTo(Integer.class).one());
        assertThat(asked).isLessThan(20);
    }

    @Test
    void theReportedQuotaRecoversOverTime() {
        for (int i = 0; i < 10; i++) {
            take(10);
        }
        assertThat(limits.acquire(organization, 10).join()).isFalse();
        assertThat(limits.isExhausted(organization, 10)).isTrue();
        RateLimits.Quota full = limits.quota(organization, 10);
        assertThat(full.remaining()).isZero();
        assertThat(full.resetSeconds()).isBetween(1, 60);
        pass(Duration.ofSeconds(30));
        assertThat(limits.quota(organization, 10).resetSeconds()).isBetween(1, 30);
        pass(Duration.ofSeconds(30));
        assertThat(limits.isExhausted(organization, 10)).isFalse();
        assertThat(limits.quota(organization, 10)).isEqualTo(new RateLimits.Quota(10, 10, 60));
    }

    @Test
    void aMinuteAfterTheFirstTheNextIsAccepted() {
        for (int i = 0; i < 100; i++) {
            take(100);
        }
        assertThat(limits.acquire(organization, 100).join()).isFalse();
        database.change(handle -> handle.execute(
                "UPDATE message_rate SET taken = ? WHERE organization_id = ?", aMinuteAgo(), organization));
        take(100);
    }

    /** The row as if all permits had been acquired a minute earlier. */
    private String aMinuteAgo() {
        return new SlidingMinute(row().taken().stream()
                        .map(entry -> new SlidingMinute.PermitLot(entry.at() - 60_000, entry.permits()))
                        .toList())
                .text();
    }

    private void take(int limit) {
        assertThat(limits.acquire(organization, limit).join()).isTrue();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private int counted() {
        return row().taken().stream().mapToInt(SlidingMinute.PermitLot::permits).sum();
    }

    private SlidingMinute row() {
        return SlidingMinute.parse(database.with(
                handle -> handle.select("SELECT taken FROM message_rate WHERE organization_id = ?", organization)
                        .mapTo(String.class)
                        .one()));
    }
}
