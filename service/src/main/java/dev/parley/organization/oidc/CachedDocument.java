package dev.parley.organization.oidc;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A document that the provider publishes, cached for {@link #MAX_AGE}. One thread at a time fetches it, at most once
 * per {@link #MIN_FETCH_INTERVAL}; after a failed fetch, sign-ins fail immediately until the interval has passed.
 */
final class CachedDocument<T> {
    static final Duration MAX_AGE = Duration.ofHours(1);
    static final Duration MIN_FETCH_INTERVAL = Duration.ofSeconds(10);

    private final Supplier<T> source;
    private final Clock clock;

    private @Nullable T document;
    private Instant fetchedAt = Instant.MIN;
    private Instant attemptedAt = Instant.MIN;
    private @Nullable OidcRejection failure;

    CachedDocument(Supplier<T> source, Clock clock) {
        this.source = source;
        this.clock = clock;
    }

    /** Returns the document, at most {@link #MAX_AGE} old. */
    synchronized T get() {
        T cached = document;
        return cached != null && fetchedAt.plus(MAX_AGE).isAfter(clock.instant()) ? cached : fetch();
    }

    /** Fetches the document again, unless the last attempt was within {@link #MIN_FETCH_INTERVAL}. */
    synchronized T refresh() {
        T cached = document;
        return cached != null && wasJustAttempted() ? cached : fetch();
    }

    private boolean wasJustAttempted() {
        return attemptedAt.plus(MIN_FETCH_INTERVAL).isAfter(clock.instant());
    }

    private T fetch() {
        OidcRejection previous = failure;
        if (previous != null && wasJustAttempted()) {
            throw previous;
        }
        try {
            T fetched = source.get();
            document = fetched;
            fetchedAt = clock.instant();
            failure = null;
            return fetched;
        } catch (OidcRejection failed) {
            failure = failed;
            throw failed;
        } finally {
            attemptedAt = clock.instant();
        }
    }
}
