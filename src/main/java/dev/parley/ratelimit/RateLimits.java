package dev.parley.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.db.Database;
import dev.parley.db.ForRequests;
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
 * Permits for messages per minute and organization, over all nodes.
 *
 * <p>The count is in PostgreSQL; callers that wait for a node's query share the next one. A node prefetches permits
 * only while a sender uses them up at once, and at most a hundredth of the limit: exact for the default limit of 100,
 * and off the hot path for limits of millions. Permits unused for two seconds expire and are returned with the node's
 * next query.
 */
@Singleton
public final class RateLimits {
    private static final long LOCAL_PERMITS_LIVE = Duration.ofSeconds(2).toNanos();

    /** Permits older than this may have left the minute and are not returned. */
    private static final long MAX_RETURN_AGE_NANOS = Duration.ofSeconds(50).toNanos();

    /**
     * A lot used up faster is too small for the sender's rate; one that lasts longer than {@link #MAX_LOT_NANOS} is too large.
     */
    private static final long MIN_LOT_NANOS = Duration.ofMillis(100).toNanos();

    private static final long MAX_LOT_NANOS = Duration.ofSeconds(1).toNanos();

    private static final Counter REFUSED = Counter.builder("parley.rate.limit.refusals")
            .description("Messages rejected by their organization's rate limit")
            .register(Metrics.globalRegistry);

    private final Database database;
    private final LongSupplier nanoTime;
    private final Cache<OrganizationId, Window> windows =
            Caffeine.newBuilder().maximumSize(10_000).build();

    @Inject
    public RateLimits(@ForRequests Database database) {
        this(database, System::nanoTime);
    }

    RateLimits(Database database, LongSupplier nanoTime) {
        this.database = database;
        this.nanoTime = nanoTime;
    }

    /** An organization's remaining permits, for the {@code RateLimit} header. */
    public record Quota(int limit, int remaining, int resetSeconds) {}

    /** Whether the limit is known to be reached; checked before a body is read. Never blocks, never counts. */
    public boolean isExhausted(OrganizationId organization, int limit) {
        return window(organization).isExhausted(limit);
    }

    /** The remaining permits as far as this node knows. */
    public Quota quota(OrganizationId organization, int limit) {
        return window(organization).quota(limit);
    }

    /** Acquires one permit; false if the limit is reached. */
    public CompletableFuture<Boolean> take(OrganizationId organization, int limit) {
        return window(organization).take(limit);
    }

    /** Returns one permit that was acquired for a request that was not a new message. */
    public void giveBack(OrganizationId organization) {
        window(organization).giveBack();
    }

    /** The 429 for an exhausted limit. */
    public ApiProblem refusal(OrganizationId organization, int limit) {
        REFUSED.increment();
        return ApiProblem.tooMany(
                "The organization's limit of " + limit + " messages per minute is reached.",
                Duration.ofSeconds(quota(organization, limit).resetSeconds()));
    }

    private Window window(OrganizationId organization) {
        return windows.get(organization, Window::new);
    }

    /** The known state and prefetched permits of one organization. */
    private final class Window {
        private final OrganizationId organization;
        private final Deque<CompletableFuture<Boolean>> waiting = new ArrayDeque<>();
        private boolean asking;
        private int limit;

        /** Prefetched permits, since when, and the size of that lot. */
        private int local;

        private long localSince;
        private int lot;

        /** The minute as last read from the database, with the database's and the local clock at that time. */
        private SlidingMinute minute = SlidingMinute.EMPTY;

        private long minuteAt;
        private long knownAt;

        Window(OrganizationId organization) {
            this.organization = organization;
            this.localSince = nanoTime.getAsLong();
        }

        synchronized boolean isExhausted(int limitNow) {
            return minute.remaining(databaseTime(), limitNow) == 0 && held(MAX_RETURN_AGE_NANOS) == 0;
        }

        synchronized Quota quota(int limitNow) {
            long now = databaseTime();
            int left = Math.min(limitNow, minute.remaining(now, limitNow) + held(MAX_RETURN_AGE_NANOS));
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
                    // The permit is lost for a minute; an unavailable database usually takes longer.
                }
            });
        }

        /** The local permits, if they are younger than that. */
        private int held(long within) {
            return local > 0 && nanoTime.getAsLong() - localSince < within ? local : 0;
        }

        /** A lower bound of the database's clock. */
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
                    unused = held(MAX_RETURN_AGE_NANOS);
                    local = 0;
                }
                try {
                    grant(update((row, now) -> row.giveBack(unused).take(now, limitNow, wanted)));
                } catch (RuntimeException e) {
                    fail(e);
                }
            }
        }

        /**
         * The number of permits to acquire: those that callers wait for, or as many as the sender uses in about 0.1 s.
         */
        private int wanted(int limitNow) {
            long lasted = nanoTime.getAsLong() - localSince;
            if (lasted > MAX_LOT_NANOS) {
                lot = 1;
            } else if (local == 0 && lasted < MIN_LOT_NANOS) {
                lot *= 2;
            }
            lot = Math.clamp(Math.max(waiting.size(), lot), 1, Math.max(1, limitNow / 100));
            return Math.max(waiting.size(), lot);
        }

        private synchronized void grant(CachedWindow known) {
            int left = known.granted;
            // Callers that arrived during the query are served too, as far as permits suffice; the others ask again.
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

        /** Responses may arrive out of order, and the database's clock may have been set back. */
        private synchronized void learn(CachedWindow known) {
            if (known.at >= minuteAt || minuteAt - known.at > 1_000) {
                minute = known.minute;
                minuteAt = known.at;
                knownAt = nanoTime.getAsLong();
            }
        }

        /** Updates the row under its lock. A crash may lose the update, so commits do not wait for the disk. */
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

    /** The database's response, at the millisecond of its clock, which all nodes share. */
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
