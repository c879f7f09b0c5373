package dev.parley.organization.oidc;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A document that the provider publishes, kept for {@link #FRESH}. Whatever people do here, it is asked for at most
 * once in {@link #PAUSE}, and by one thread at a time; while it cannot be had, each sign-in is refused at once.
 */
final class CachedDocument<T> {
    static final Duration FRESH = Duration.ofHours(1);
    static final Duration PAUSE = Duration.ofSeconds(10);

    private final Supplier<T> fetch;
    private final Clock clock;

    private @Nullable T value;
    private Instant fetched = Instant.MIN;
    private Instant tried = Instant.MIN;
    private @Nullable OidcRejection failure;

    CachedDocument(Supplier<T> fetch, Clock clock) {
        this.fetch = fetch;
        this.clock = clock;
    }

    /** The document. */
    synchronized T get() {
        T kept = value;
        return kept != null && fetched.plus(FRESH).isAfter(clock.instant()) ? kept : asked();
    }

    /** The document as it is now, for who misses something in it; the one that is kept when that is very new. */
    synchronized T newest() {
        T kept = value;
        return kept != null && isPausing() ? kept : asked();
    }

    private boolean isPausing() {
        return tried.plus(PAUSE).isAfter(clock.instant());
    }

    private T asked() {
        OidcRejection before = failure;
        if (before != null && isPausing()) {
            throw before;
        }
        try {
            T now = fetch.get();
            value = now;
            fetched = clock.instant();
            failure = null;
            return now;
        } catch (OidcRejection failed) {
            failure = failed;
            throw failed;
        } finally {
            tried = clock.instant();
        }
    }
}
