package dev.parley.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.db.Database;
import dev.parley.db.ForRequests;
import dev.parley.id.OrganizationId;
import dev.parley.metrics.Metric;
import dev.parley.problem.ApiProblem;
import dev.parley.ratelimit.core.SlidingMinute;
import io.micrometer.core.instrument.Counter;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Permits for messages per minute and organization, counted in PostgreSQL over all nodes. A node prefetches at most a
 * hundredth of the limit, and only while a sender uses the permits up at once, so the default limit of 100 is exact and
 * limits of millions stay off the hot path. Permits unused for two seconds are returned with the node's next query.
 */
@Singleton
public final class RateLimits {
    private static final long LOCAL_PERMIT_LIFETIME_NANOS =
            Duration.ofSeconds(2).toNanos();

    /** Permits older than this may have left the window and are not returned. */
    private static final long MAX_RETURN_AGE_NANOS = Duration.ofSeconds(50).toNanos();

    /** A lot that is used up faster than this is too small for the sender's rate. */
    private static final long MIN_LOT_NANOS = Duration.ofMillis(100).toNanos();

    /** A lot that lasts longer than this is too large. */
    private static final long MAX_LOT_NANOS = Duration.ofSeconds(1).toNanos();

    private static final Counter REJECTIONS = Metric.RATE_LIMIT_REFUSALS.counter();

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

    /** The remaining permits known to this node. */
    public Quota quota(OrganizationId organization, int limit) {
        return window(organization).quota(limit);
    }

    /** Acquires one permit; false if the limit is reached. */
    public CompletableFuture<Boolean> acquire(OrganizationId organization, int limit) {
        return window(organization).acquire(limit);
    }

    /** Releases a permit that was acquired for a request without a new message. */
    public void release(OrganizationId organization) {
        window(organization).release();
    }

    /** The 429 for an exhausted limit. */
    public ApiProblem rejection(OrganizationId organization, int limit) {
        REJECTIONS.increment();
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
        private boolean querying;
        private int limit;

        /** Prefetched permits, the time of the prefetch, and its size. */
        private int localPermits;

        private long prefetchedAt;
        private int lotSize;

        /** The minute as last read from the database, with the times of the database's and the local clock. */
        private SlidingMinute minute = SlidingMinute.EMPTY;

        private long readAtMillis;
        private long readAtNanos;

        Window(OrganizationId organization) {
            this.organization = organization;
            this.prefetchedAt = nanoTime.getAsLong();
        }

        synchronized boolean isExhausted(int limitNow) {
            return minute.remaining(databaseTime(), limitNow) == 0 && localPermits(MAX_RETURN_AGE_NANOS) == 0;
        }

        synchronized Quota quota(int limitNow) {
            long now = databaseTime();
            int left = Math.min(limitNow, minute.remaining(now, limitNow) + localPermits(MAX_RETURN_AGE_NANOS));
            return new Quota(limitNow, left, minute.secondsToNext(now, limitNow));
        }

        synchronized CompletableFuture<Boolean> acquire(int limitNow) {
            if (limitNow == limit && localPermits(LOCAL_PERMIT_LIFETIME_NANOS) > 0) {
                localPermits--;
                return CompletableFuture.completedFuture(true);
            }
            var acquired = new CompletableFuture<Boolean>();
            waiting.add(acquired);
            limit = limitNow;
            if (!querying) {
                querying = true;
                Thread.ofVirtual().name("rate-limit").start(this::query);
            }
            return acquired;
        }

        void release() {
            Thread.ofVirtual().name("rate-limit").start(() -> {
                try {
                    var _ = update((row, _) -> new SlidingMinute.GrantResult(row.release(1), 0));
                } catch (RuntimeException _) {
                    // The permit is lost for a minute; an unavailable database usually takes longer.
                }
            });
        }

        /** The local permits, if they are younger than the maximum age. */
        private int localPermits(long maxAgeNanos) {
            return nanoTime.getAsLong() - prefetchedAt < maxAgeNanos ? localPermits : 0;
        }

        /** A lower bound of the database's clock. */
        private long databaseTime() {
            return readAtMillis + (nanoTime.getAsLong() - readAtNanos) / 1_000_000;
        }

        private void query() {
            while (true) {
                int wanted;
                int limitNow;
                int unused;
                synchronized (this) {
                    if (waiting.isEmpty()) {
                        querying = false;
                        return;
                    }
                    limitNow = limit;
                    wanted = wanted(limitNow);
                    unused = localPermits(MAX_RETURN_AGE_NANOS);
                    localPermits = 0;
                }
                try {
                    grant(update((row, now) -> row.release(unused).acquire(now, limitNow, wanted)));
                } catch (RuntimeException | Error e) { // After an error, too, the next caller must be served.
                    fail(e);
                }
            }
        }

        /**
         * The number of permits to acquire: those that callers wait for, or as many as the sender uses in about 0.1 s.
         */
        private int wanted(int limitNow) {
            long lasted = nanoTime.getAsLong() - prefetchedAt;
            if (lasted > MAX_LOT_NANOS) {
                lotSize = 1;
            } else if (localPermits == 0 && lasted < MIN_LOT_NANOS) {
                lotSize *= 2;
            }
            lotSize = Math.clamp(Math.max(waiting.size(), lotSize), 1, Math.max(1, limitNow / 100));
            return Math.max(waiting.size(), lotSize);
        }

        private synchronized void grant(CachedWindow known) {
            int left = known.granted;
            // Permits also go to callers that arrived during the query; those left without one wait for the next query.
            while (left > 0 && !waiting.isEmpty()) {
                waiting.remove().complete(true);
                left--;
            }
            if (left == 0 && known.minute.remaining(known.atMillis, limit) == 0) {
                while (!waiting.isEmpty()) {
                    waiting.remove().complete(false);
                }
            }
            localPermits = left;
            prefetchedAt = nanoTime.getAsLong();
        }

        private synchronized void fail(Throwable e) {
            while (!waiting.isEmpty()) {
                waiting.remove().completeExceptionally(e);
            }
        }

        /** Results may arrive out of order, and the database's clock may have been set back. */
        private synchronized void cache(CachedWindow known) {
            if (known.atMillis >= readAtMillis || readAtMillis - known.atMillis > 1_000) {
                minute = known.minute;
                readAtMillis = known.atMillis;
                readAtNanos = nanoTime.getAsLong();
            }
        }

        /** Updates the row under its lock. A crash may lose the update, so commits do not wait for the disk. */
        private CachedWindow update(WindowChange change) {
            CachedWindow known = database.transaction(handle -> {
                handle.execute("SET LOCAL synchronous_commit = off");
                handle.execute(
                        "INSERT INTO message_rate (organization_id, taken) VALUES (?, '') ON CONFLICT DO NOTHING",
                        organization);
                CachedWindow after = handle.select("""
                                SELECT taken, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
                                FROM message_rate WHERE organization_id = ? FOR UPDATE
                                """, organization)
                        .map((row, _) -> CachedWindow.of(change, SlidingMinute.parse(row.getString(1)), row.getLong(2)))
                        .one();
                handle.execute(
                        "UPDATE message_rate SET taken = ? WHERE organization_id = ?",
                        after.minute.text(),
                        organization);
                return after;
            });
            cache(known);
            return known;
        }
    }

    /** The result of a query, with the time of the database's clock, which all nodes share. */
    private record CachedWindow(SlidingMinute minute, int granted, long atMillis) {
        static CachedWindow of(WindowChange change, SlidingMinute minute, long now) {
            SlidingMinute.GrantResult result = change.apply(minute, now);
            return new CachedWindow(result.after(), result.granted(), now);
        }
    }

    /** A change of the window at a time of the database's clock. */
    private interface WindowChange {
        SlidingMinute.GrantResult apply(SlidingMinute minute, long now);
    }
}
