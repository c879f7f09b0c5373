package dev.parley.apikey;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.db.Database;
import dev.parley.db.ForRequests;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.settings.ServiceSize;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Caches key lookups. An entry is valid for half a second from the start of its lookup, so that a revocation takes
 * effect on every node within a second and a busy key costs two small queries a second. Concurrent requests share one
 * lookup.
 */
@Singleton
public final class ApiKeyCache {
    private static final Logger LOG = Logger.getLogger(ApiKeyCache.class);
    private static final Duration CACHE_TIME = Duration.ofMillis(500);
    private static final int MAX_ENTRIES = 50_000;

    /** The precision of the recorded last use. */
    static final Duration LAST_USE_PRECISION = Duration.ofMinutes(1);

    private final ApiKeys keys;
    private final ApiKeyStore store;
    private final ApiKeyStore lookup;
    private final Clock clock;
    private final int defaultMessagesPerMinute;
    private final Semaphore lookups;
    private final Executor threads = work -> Thread.ofVirtual().name("api-key").start(work);
    private final AsyncCache<ByteBuffer, CachedKey> cache;

    /**
     * The result of a lookup.
     *
     * @param caller null if no active key has this hash
     * @param expiresAt null if the key never expires
     * @param staleAt the {@link System#nanoTime} from which it must be looked up again
     */
    record CachedKey(
            @Nullable ApiKeyCaller caller, @Nullable Instant expiresAt, boolean organizationGone, long staleAt) {
        boolean isStale() {
            return System.nanoTime() - staleAt >= 0;
        }

        boolean isExpired(Instant now) {
            return expiresAt != null && !now.isBefore(expiresAt);
        }
    }

    public ApiKeyCache(
            ApiKeys keys,
            Database database,
            @ForRequests Database requestDatabase,
            Clock clock,
            Settings.Quotas quotas,
            ServiceSize size) {
        this.keys = keys;
        this.store = database.statements(ApiKeyStore.class);
        this.lookup = requestDatabase.statements(ApiKeyStore.class);
        this.clock = clock;
        this.defaultMessagesPerMinute = quotas.messagesPerMinute();
        // A flood of made-up keys must not occupy every connection of the pool.
        this.lookups = new Semaphore(size.requestConnections() - 1);
        this.cache = Caffeine.newBuilder()
                .maximumSize(size.byHeap(MAX_ENTRIES))
                .expireAfterWrite(CACHE_TIME)
                .buildAsync();
    }

    /** Already complete if the key is cached; never blocks. */
    CompletableFuture<CachedKey> find(String key) {
        byte[] bytes = keys.hash(key);
        ByteBuffer hash = ByteBuffer.wrap(bytes);
        CompletableFuture<CachedKey> cached = cache.getIfPresent(hash);
        if (cached != null) {
            if (!cached.isDone()
                    || cached.isCompletedExceptionally()
                    || !cached.resultNow().isStale()) {
                return cached;
            }
            cache.asMap().remove(hash, cached);
        }
        return cache.get(hash, (_, _) -> CompletableFuture.supplyAsync(() -> lookUp(bytes), threads));
    }

    /** Invalidates a key after a change. */
    void invalidate(byte[] hash) {
        cache.asMap().remove(ByteBuffer.wrap(hash));
    }

    private CachedKey lookUp(byte[] hash) {
        lookups.acquireUninterruptibly();
        try {
            long staleAt = System.nanoTime() + CACHE_TIME.toNanos();
            return lookup.find(hash)
                    .map(stored -> {
                        var response =
                                new CachedKey(caller(stored), stored.expiresAt(), stored.organizationGone(), staleAt);
                        if (!response.organizationGone && !response.isExpired(clock.instant())) {
                            recordUse(stored); // A rejected request is not a use.
                        }
                        return response;
                    })
                    .orElse(new CachedKey(null, null, false, staleAt));
        } finally {
            lookups.release();
        }
    }

    private ApiKeyCaller caller(ApiKeyStore.StoredKey stored) {
        Integer limit = stored.messagesPerMinute();
        return new ApiKeyCaller(
                stored.organization(),
                stored.id(),
                stored.teamId(),
                stored.workflowId(),
                limit == null ? defaultMessagesPerMinute : limit);
    }

    /** Called at most twice a second per key; the request does not wait for it. */
    private void recordUse(ApiKeyStore.StoredKey stored) {
        Instant now = clock.instant();
        Instant before = now.minus(LAST_USE_PRECISION);
        if (stored.lastUsedAt() != null && stored.lastUsedAt().isAfter(before)) {
            return;
        }
        threads.execute(() -> {
            try {
                store.use(stored.organization(), stored.id(), now, before);
            } catch (RuntimeException e) {
                LOG.warnf("Cannot record the last use of API key %s: %s", stored.id(), e.getMessage());
            }
        });
    }
}
