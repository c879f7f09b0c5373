package dev.parley.apikey;

import dev.parley.db.Database;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Creates, replaces and revokes API keys. */
@Singleton
public final class ApiKeys {
    private static final int PREFIX = ApiKeyFormat.PREFIX.length() + 4;

    private final Database database;
    private final ApiKeyStore store;
    private final Clock clock;
    private final HmacHasher hasher;

    /** A new key; the only place where {@code key} is available. */
    public record NewlyStoredKey(ApiKey apiKey, String key) {
        @Override
        public String toString() {
            return "NewlyStoredKey[" + apiKey.id() + "]";
        }
    }

    public ApiKeys(Database database, Clock clock, MasterKey masterKey) {
        this.database = database;
        this.store = database.statements(ApiKeyStore.class);
        this.clock = clock;
        this.hasher = masterKey.hasher("api-key");
    }

    /** Creates a key, also within a transaction. The caller checks that its team and workflow exist. */
    public NewlyStoredKey create(OrganizationId organization, NewApiKey requested, String createdBy) {
        String key = ApiKeyFormat.generate();
        String lastFour = key.substring(ApiKeyFormat.LENGTH - 4);
        ApiKey stored = store.insert(
                organization,
                ApiKeyId.next(),
                hash(key),
                key.substring(0, PREFIX),
                lastFour,
                requested,
                createdBy,
                clock.instant());
        return new NewlyStoredKey(stored, key);
    }

    /**
     * Replaces an active key by a new one with the same name and restrictions. The old one expires after the overlap; it
     * is revoked at once if the overlap is zero.
     */
    NewlyStoredKey roll(
            OrganizationId organization, ApiKeyId id, Duration overlap, Optional<Instant> expiresAt, String createdBy) {
        return database.transaction(() -> {
            Instant now = clock.instant();
            ApiKey old = store.lock(organization, id).orElseThrow(() -> ApiProblem.notFound("API key"));
            if (!old.isActive(now) || old.replacedBy() != null) {
                throw ApiProblem.of(
                        old.isActive(now) ? ProblemKind.ALREADY_DONE : ProblemKind.KEY_EXPIRED,
                        old.isActive(now) ? "The key was already rolled." : "The key is revoked or expired.");
            }
            var requested = new NewApiKey(
                    old.name(), Optional.ofNullable(old.teamId()), Optional.ofNullable(old.workflowId()), expiresAt);
            NewlyStoredKey created = create(organization, requested, createdBy);
            store.replace(organization, id, created.apiKey().id(), now, now.plus(overlap));
            return created;
        });
    }

    /** Revokes a key permanently and returns its hash; empty if the organization has no such key. */
    Optional<byte[]> revoke(OrganizationId organization, ApiKeyId id) {
        return store.revoke(organization, id, clock.instant());
    }

    byte[] hash(String key) {
        return hasher.hash(key);
    }
}
