package dev.parley.attachment;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.id.OrganizationId;
import java.time.Duration;

/**
 * Counts readings of a document that failed for another reason than the document. Chat messages are retried until they
 * succeed, but a document may be why its reader is killed each time.
 */
final class TransientFailures {
    static final int MAX_ATTEMPTS = 5;

    private record DocumentKey(OrganizationId organization, String sha256) {}

    private final Cache<DocumentKey, Integer> counts = Caffeine.newBuilder()
            .expireAfterWrite(Duration.ofHours(1))
            .maximumSize(1_000)
            .build();

    /** Counts a failure; false if the document is to be given up. */
    boolean mayRetry(OrganizationId organization, String sha256) {
        return counts.asMap().merge(new DocumentKey(organization, sha256), 1, Integer::sum) < MAX_ATTEMPTS;
    }
}
