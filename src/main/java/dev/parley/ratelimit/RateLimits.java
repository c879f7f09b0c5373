package dev.parley.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.ratelimit.core.SlidingMinute;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Permits to send messages: so many a minute for each organization, over all nodes.
 *
 * <p>The count lives in PostgreSQL, and whoever waits for a node's round trip shares the next one. A node takes more
 * than is asked for only while a sender uses that up at once, and never more than a hundredth of the limit: exact for
 * the usual limit of 100, and off the hot path for one of millions. What lies unused for two seconds is taken no more,
 * and goes back with the node's next round trip.
 */
@Singleton
public final class RateLimits {
    private static final long LOCAL_PERMITS_LIVE = Duration.ofSeconds(2).toNanos();

    /** What was taken so long ago may have left the minute, and is not given back. */
    private static final long RETURNABLE = Duration.ofSeconds(50).toNanos();

    /** A lot that lasts shorter is too small for the sender's pace; one that lasts longer than {@link #LONG} too large. */
    private static final long SHORT = Duration.ofMillis(100).toNanos();

    private static final long LONG = Duration.ofSeconds(1).toNanos();

    private static final Counter REFUSED = Counter.builder("parley.rate.limit.refusals")
            .description("Messages refused by their organization's rate limit")
            .register(Metrics.globalRegistry);

    private final Database database;
    private final LongSupplier nanoTime;
    private final Cache<OrganizationId, Window> windows =
            Caffeine.newBuilder().maximumSize(10_000).build();

    @Inject
    public RateLimits(Database database) {
        this(database, System::nanoTime);
    }

    RateLimits(Database database, LongSupplier nanoTime) {
        this.database = database;
        this.nanoTime = nanoTime;
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
    public ApiProblem refusal(OrganizationId organization, int limit) {
        REFUSED.increment();
        return ApiProblem.tooMany(
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
        private boolean asking;
        private int limit;

        /** Permits that were taken and nobody asked for yet, since when, and how many were taken in that lot. */
        private int local;

        private long localSince;
        private int lot;

        /** The minute as the database knew it last, at which time of its clock, and of ours. */
        private SlidingMinute minute = SlidingMinute.EMPTY;

        private long minuteAt;
        private long knownAt;

        Window(OrganizationId organization) {
            this.organization = organization;
            this.localSince = nanoTime.getAsLong();
        }

        synchronized boolean isExhausted(int limitNow) {
            return minute.remaining(databaseTime(), limitNow) == 0 && held(RETURNABLE) == 0;
        }

        synchronized Quota quota(int limitNow) {
            long now = databaseTime();
            int left = Math.min(limitNow, minute.remaining(now, limitNow) + held(RETURNABLE));
            return new Quota(limitNow, left, minute.secondsToNext(now, limitNow));
        }

        synchronized CompletableFuture<Boolean> take(int limitNow) {
            if (limitNow == limit && held(LOCAL_PERMITS_LIVE) > 0) {
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
                    var _ = update((row, _) -> new SlidingMinute.GrantResult(row.giveBack(1), 0));
                } catch (RuntimeException _) {
                    // The permit is lost for a minute, which a database that is away outlasts anyway.
                }
            });
        }

        /** The local permits, if they were taken less than that long ago. */
        private int held(long within) {
            return local > 0 && nanoTime.getAsLong() - localSince < within ? local : 0;
        }

        /** The time of the database's clock, as far as it is known: not later than it is. */
        private long databaseTime() {
            return minuteAt + (nanoTime.getAsLong() - knownAt) / 1_000_000;
        }

        private void ask() {
            while (true) {
                int wanted;
                int limitNow;
                int unused;
                synchronized (this) {
                    if (waiting.isEmpty()) {
                        asking = false;
                        return;
                    }
                    limitNow = limit;
                    wanted = wanted(limitNow);
                    unused = held(RETURNABLE);
                    local = 0;
                }
                try {
                    grant(update((row, now) -> row.giveBack(unused).take(now, limitNow, wanted)));
                } catch (RuntimeException e) {
                    fail(e);
                }
            }
        }

        /** How many permits to take: those that are waited for, or as many as the sender will use in about 0.1 s. */
        private int wanted(int limitNow) {
            long lasted = nanoTime.getAsLong() - localSince;
            if (lasted > LONG) {
                lot = 1;
            } else if (local == 0 && lasted < SHORT) {
                lot *= 2;
            }
            lot = Math.clamp(Math.max(waiting.size(), lot), 1, Math.max(1, limitNow / 100));
            return Math.max(waiting.size(), lot);
        }

        private synchronized void grant(CachedWindow known) {
            int left = known.granted;
            // Whoever came while the query ran is served too, as far as it goes; the rest ask again.
            while (left > 0 && !waiting.isEmpty()) {
                waiting.remove().complete(true);
                left--;
            }
            if (left == 0 && known.minute.remaining(known.at, limit) == 0) {
                while (!waiting.isEmpty()) {
                    waiting.remove().complete(false);
                }
            }
            local = left;
            localSince = nanoTime.getAsLong();
        }

        private synchronized void fail(RuntimeException e) {
            while (!waiting.isEmpty()) {
                waiting.remove().completeExceptionally(e);
            }
        }

        /** Answers may come in another order than that of the database, and its clock may have been set back. */
        private synchronized void learn(CachedWindow known) {
            if (known.at >= minuteAt || minuteAt - known.at > 1_000) {
                minute = known.minute;
                minuteAt = known.at;
                knownAt = nanoTime.getAsLong();
            }
        }

        /** Changes the row under its lock. A crash may forget what was taken, so that nothing waits for the disk. */
        private CachedWindow update(WindowChange change) {
            CachedWindow known = database.transaction(handle -> {
                handle.execute("SET LOCAL synchronous_commit = off");
                handle.execute(
                        "INSERT INTO message_rate (organization_id, taken) VALUES (?, '') ON CONFLICT DO NOTHING",
                        organization);
                CachedWindow after = handle.createQuery("""
                                SELECT taken, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
                                FROM message_rate WHERE organization_id = :organization FOR UPDATE
                                """)
                        .bind("organization", organization)
                        .map((row, _) -> CachedWindow.of(change, SlidingMinute.parse(row.getString(1)), row.getLong(2)))
                        .one();
                handle.execute(
                        "UPDATE message_rate SET taken = ? WHERE organization_id = ?",
                        after.minute.text(),
                        organization);
                return after;
            });
            learn(known);
            return known;
        }
    }

    /** What the database answered, at the millisecond of its clock, which all nodes share. */
    private record CachedWindow(SlidingMinute minute, int granted, long at) {
        static CachedWindow of(WindowChange change, SlidingMinute minute, long now) {
            SlidingMinute.GrantResult result = change.apply(minute, now);
            return new CachedWindow(result.after(), result.granted(), now);
        }
    }

    /** A change of the minute at that millisecond. */
    private interface WindowChange {
        SlidingMinute.GrantResult apply(SlidingMinute minute, long now);
    }
}
