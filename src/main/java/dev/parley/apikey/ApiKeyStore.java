package dev.parley.apikey;

import dev.parley.db.Database;
import dev.parley.db.ForRequests;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The table {@code api_key}. */
@Singleton
public final class ApiKeyStore {
    /** The precision of the recorded last use. */
    static final Duration LAST_USE_PRECISION = Duration.ofMinutes(1);

    private static final int PREFIX = ApiKeyFormat.PREFIX.length() + 4;

    private static final String COLUMNS = """
            id, name, prefix, last_four, team_id, workflow_id, expires_at, last_used_at, created_by, created_at, \
            revoked_at""";

    private final Database database;
    private final Database requestDatabase;
    private final Clock clock;
    private final HmacHasher hasher;

    /** A new key; the only place where {@code key} is available. */
    public record NewlyStoredKey(ApiKey apiKey, String key) {
        @Override
        public String toString() {
            return "Created[" + apiKey.id() + "]";
        }
    }

    /**
     * The data of a key that is not revoked, for authentication.
     *
     * @param organizationGone whether the key's organization was deleted
     * @param messagesPerMinute the organization's own limit; null for the default
     */
    record StoredKey(
            OrganizationId organization,
            ApiKeyId id,
            @Nullable Integer teamId,
            @Nullable WorkflowId workflowId,
            @Nullable Instant expiresAt,
            @Nullable Instant lastUsedAt,
            boolean organizationGone,
            @Nullable Integer messagesPerMinute) {}

    public ApiKeyStore(Database database, @ForRequests Database requestDatabase, Clock clock, MasterKey secret) {
        this.database = database;
        this.requestDatabase = requestDatabase;
        this.clock = clock;
        this.hasher = secret.hasher("api-key");
    }

    /** Creates a key. The caller checks that its team and workflow exist; the team is checked again here. */
    public NewlyStoredKey create(OrganizationId organization, NewApiKey requested, String createdBy) {
        return database.transaction(handle -> create(handle, organization, requested, createdBy));
    }

    /** Same within a transaction. */
    public NewlyStoredKey create(Handle handle, OrganizationId organization, NewApiKey requested, String createdBy) {
        String key = ApiKeyFormat.generate();
        ApiKey apiKey = handle.createQuery("""
                        INSERT INTO api_key (organization_id, id, key_hash, name, prefix, last_four, team_id,
                                             workflow_id, expires_at, created_by, created_at)
                        VALUES (:organization, :id, :hash, :name, :prefix, :last, :team::integer,
                                :workflow::uuid, :expires::timestamptz, :by, :now)
                        RETURNING\s""" + COLUMNS)
                .bind("organization", organization)
                .bind("id", ApiKeyId.next())
                .bind("hash", hasher.hash(key))
                .bind("name", requested.name())
                .bind("prefix", key.substring(0, PREFIX))
                .bind("last", key.substring(ApiKeyFormat.LENGTH - 4))
                .bind("team", requested.teamId())
                .bind("workflow", requested.workflowId())
                .bind("expires", requested.expiresAt())
                .bind("by", createdBy)
                .bind("now", clock.instant())
                .mapTo(ApiKey.class)
                .one();
        return new NewlyStoredKey(apiKey, key);
    }

    /** The organization's keys, newest first, including those that no longer work. */
    public List<ApiKey> list(OrganizationId organization, Optional<ApiKeyId> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM api_key
                        WHERE organization_id = :organization AND (:after::uuid IS NULL OR id < :after::uuid)
                        ORDER BY id DESC LIMIT :limit""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(ApiKey.class)
                .list());
    }

    /** Revokes a key permanently and returns its hash; empty if the organization has no such key. */
    Optional<byte[]> revoke(OrganizationId organization, ApiKeyId id) {
        return database.transaction(handle -> handle.createQuery("""
                        UPDATE api_key SET revoked_at = coalesce(revoked_at, :now)
                        WHERE organization_id = :organization AND id = :id
                        RETURNING key_hash""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("now", clock.instant())
                .mapTo(byte[].class)
                .findOne());
    }

    byte[] hash(String key) {
        return hasher.hash(key);
    }

    /** The key with a hash, unless it was revoked or its team was deleted. */
    Optional<StoredKey> find(byte[] hash) {
        return requestDatabase.with(handle -> handle.createQuery("""
                        SELECT k.organization_id AS organization, k.id, k.team_id, k.workflow_id, k.expires_at,
                               k.last_used_at, o.deleted_at IS NOT NULL AS organization_gone, o.messages_per_minute
                        FROM api_key k
                        JOIN organization o ON o.id = k.organization_id
                        LEFT JOIN team t ON t.organization_id = k.organization_id AND t.id = k.team_id
                        WHERE k.key_hash = :hash AND k.revoked_at IS NULL AND t.deleted_at IS NULL""")
                .bind("hash", hash)
                .mapTo(StoredKey.class)
                .findOne());
    }

    /** Records the use of a key; one node writes it, once a minute. */
    void used(StoredKey key) {
        Instant now = clock.instant();
        if (key.lastUsedAt() != null
                && key.lastUsedAt().plus(LAST_USE_PRECISION).isAfter(now)) {
            return;
        }
        database.change(handle -> handle.createUpdate("""
                        UPDATE api_key SET last_used_at = :now
                        WHERE organization_id = :organization AND id = :id
                          AND (last_used_at IS NULL OR last_used_at <= :before)""")
                .bind("organization", key.organization())
                .bind("id", key.id())
                .bind("now", now)
                .bind("before", now.minus(LAST_USE_PRECISION))
                .execute());
    }
}
