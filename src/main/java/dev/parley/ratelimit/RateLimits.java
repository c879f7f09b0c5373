package dev.parley.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.problem.Problem;
import dev.parley.ratelimit.core.SlidingMinute;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * Permits to send messages: so many a minute for each organization, over all nodes (DECISIONS 2, "Rate limit").
 *
 * <p>The count lives in PostgreSQL. A node takes a hundredth of the limit at a time, at least one, and whoever waits
 * meanwhile shares the next round trip: exact for the usual limit of 100, and off the hot path for one of millions, at
 * the price that a node may let up to a hundredth lie unused for two seconds.
 */
@Singleton
public final class RateLimits {
    private static final long LOCAL_PERMITS_LIVE = Duration.ofSeconds(2).toNanos();

    private static final Counter REFUSED = Counter.builder("parley.rate.limit.refusals")
            .description("Messages refused by their organization's rate limit")
            .register(Metrics.globalRegistry);

    private final Database database;
    private final Cache<OrganizationId, Window> windows =
            Caffeine.newBuilder().maximumSize(10_000).build();

    public RateLimits(Database database) {
        this.database = database;
    }

    /** What an organization has left, for the {@code RateLimit} header. */
    public record Quota(int limit, int remaining, int resetSeconds) {}

    /** Whether the limit is known to be reached: asked before a body is read. Never blocks, never counts. */
    public boolean isExhausted(OrganizationId organization, int limit) {
        return window(organization).isExhausted(limit);
    }

    /** What is known to be left. */
    public Quota quota(OrganizationId organization, int limit) {
        return window(organization).quota(limit);
    }

    /** Takes one permit; false when the limit is reached. */
    public CompletableFuture<Boolean> take(OrganizationId organization, int limit) {
        return window(organization).take(limit);
    }

    /** Gives one permit back that was taken for what turned out not to be a new message. */
    public void giveBack(OrganizationId organization) {
        window(organization).giveBack();
    }

    /** The 429 that goes with an exhausted limit. */
    public Problem refusal(OrganizationId organization, int limit) {
        REFUSED.increment();
        return Problem.tooMany(
                "The organization's limit of " + limit + " messages per minute is reached.",
                Duration.ofSeconds(quota(organization, limit).resetSeconds()));
    }

    private Window window(OrganizationId organization) {
        return windows.get(organization, Window::new);
    }

    /** What this node knows and holds of one organization's minute. */
    private final class Window {
        private final OrganizationId organization;
        private final Deque<CompletableFuture<Boolean>> waiting = new ArrayDeque<>();
        private int local;
        private long localUntil;
        private boolean asking;
        private int limit;
        private int remaining = -1;
        private long knownAt;
        private int resetSeconds = SlidingMinute.WINDOW_SECONDS;

        Window(OrganizationId organization) {
            this.organization = organization;
        }

        synchronized boolean isExhausted(int limitNow) {
            return limitNow == limit && remaining == 0 && usableLocal() == 0 && secondsToReset() > 0;
        }

        synchronized Quota quota(int limitNow) {
            if (remaining < 0 || limitNow != limit) {
                return new Quota(limitNow, limitNow, SlidingMinute.WINDOW_SECONDS);
            }
            return new Quota(limit, remaining + usableLocal(), Math.max(1, secondsToReset()));
        }

        synchronized CompletableFuture<Boolean> take(int limitNow) {
            if (limitNow == limit && usableLocal() > 0) {
                local--;
                return CompletableFuture.completedFuture(true);
            }
            var answer = new CompletableFuture<Boolean>();
            waiting.add(answer);
            limit = limitNow;
            if (!asking) {
                asking = true;
                Thread.ofVirtual().name("rate-limit").start(this::ask);
            }
            return answer;
        }

        void giveBack() {
            Thread.ofVirtual().name("rate-limit").start(() -> {
                try {
                    update((minute, _) -> new SlidingMinute.Result(minute.giveBack(1), 0, 0, 0));
                } catch (RuntimeException e) {
                    return; // The permit is lost for a minute, which a database that is away outlasts anyway.
                }
                synchronized (this) {
                    remaining++;
                }
            });
        }

        private int usableLocal() {
            return local > 0 && System.nanoTime() - localUntil < 0 ? local : 0;
        }

        private int secondsToReset() {
            return resetSeconds - (int) ((System.nanoTime() - knownAt) / 1_000_000_000L);
        }

        private void ask() {
            while (true) {
                int wanted;
                int limitNow;
                synchronized (this) {
                    if (waiting.isEmpty()) {
                        asking = false;
                        return;
                    }
                    limitNow = limit;
                    wanted = Math.max(waiting.size(), limitNow / 100);
                }
                try {
                    grant(query(limitNow, wanted));
                } catch (RuntimeException e) {
                    fail(e);
                }
            }
        }

        private SlidingMinute.Result query(int limitNow, int wanted) {
            return update((minute, second) -> minute.take(second, limitNow, wanted));
        }

        private synchronized void grant(SlidingMinute.Result result) {
            remaining = result.remaining();
            resetSeconds = result.retrySeconds();
            knownAt = System.nanoTime();
            int left = result.granted();
            // Whoever came while the query ran is served too, as far as it goes; the rest ask again.
            while (left > 0 && !waiting.isEmpty()) {
                waiting.remove().complete(true);
                left--;
            }
            if (remaining == 0 && left == 0) {
                while (!waiting.isEmpty()) {
                    waiting.remove().complete(false);
                }
            }
            local = left;
            localUntil = System.nanoTime() + LOCAL_PERMITS_LIVE;
        }

        private synchronized void fail(RuntimeException e) {
            while (!waiting.isEmpty()) {
                waiting.remove().completeExceptionally(e);
            }
        }

        /** Changes the row under its lock. A crash may forget what was taken, so that nothing waits for the disk. */
        private SlidingMinute.Result update(Change change) {
            return database.transaction(handle -> {
                handle.execute("SET LOCAL synchronous_commit = off");
                handle.execute(
                        "INSERT INTO message_rate (organization_id, taken) VALUES (?, '') ON CONFLICT DO NOTHING",
                        organization);
                SlidingMinute.Result result = handle.createQuery("""
                                SELECT taken, extract(epoch FROM clock_timestamp())::bigint
                                FROM message_rate WHERE organization_id = :organization FOR UPDATE
                                """)
                        .bind("organization", organization)
                        .map((row, _) -> change.apply(SlidingMinute.parse(row.getString(1)), row.getLong(2)))
                        .one();
                handle.execute(
                        "UPDATE message_rate SET taken = ? WHERE organization_id = ?",
                        result.after().text(),
                        organization);
                return result;
            });
        }
    }

    /** A change of the minute, at the second of the database's clock, which all nodes share. */
    private interface Change {
        SlidingMinute.Result apply(SlidingMinute minute, long second);
    }
}
