package dev.parley.apikey;

import dev.parley.db.Database;
import dev.parley.db.ForRequests;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
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
            revoked_at, replaced_by""";

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

    /**
     * Which keys to list.
     *
     * @param search part of the name or of the visible characters, in any case; empty for all
     * @param activeOnly whether to leave out revoked and expired keys
     */
    record KeyFilter(String search, boolean activeOnly) {}

    /** Newest first. */
    List<ApiKey> list(OrganizationId organization, KeyFilter filter, Optional<ApiKeyId> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM api_key
                        WHERE organization_id = :organization AND (:after::uuid IS NULL OR id < :after::uuid)
                          AND (NOT :active OR (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now::timestamptz)))
                          AND (:search = '' OR strpos(lower(name), lower(:search)) > 0
                            OR strpos(prefix || '…' || last_four, :search) > 0)
                        ORDER BY id DESC LIMIT :limit""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("after", after)
                .bind("active", filter.activeOnly)
                .bind("now", clock.instant())
                .bind("search", filter.search)
                .bind("limit", limit)
                .mapTo(ApiKey.class)
                .list());
    }

    /** Renames a key; empty if the organization has no such key. */
    Optional<ApiKey> rename(OrganizationId organization, ApiKeyId id, String name) {
        return database.with(handle -> handle.createQuery("""
                        UPDATE api_key SET name = :name WHERE organization_id = :organization AND id = :id
                        RETURNING\s""" + COLUMNS)
                .bind("organization", organization)
                .bind("id", id)
                .bind("name", name)
                .mapTo(ApiKey.class)
                .findOne());
    }

    /**
     * Replaces an active key by a new one with the same name and restrictions. The old one expires after the overlap; it
     * is revoked at once if the overlap is zero.
     */
    NewlyStoredKey roll(
            OrganizationId organization, ApiKeyId id, Duration overlap, Optional<Instant> expiresAt, String createdBy) {
        return database.transaction(handle -> {
            Instant now = clock.instant();
            ApiKey old = handle.createQuery("SELECT " + COLUMNS
                            + " FROM api_key WHERE organization_id = :organization AND id = :id FOR NO KEY UPDATE")
                    .bind("organization", organization)
                    .bind("id", id)
                    .mapTo(ApiKey.class)
                    .findOne()
                    .orElseThrow(() -> ApiProblem.notFound("API key"));
            if (!old.isActive(now) || old.replacedBy() != null) {
                throw ApiProblem.of(
                        ProblemKind.CONFLICT,
                        old.isActive(now) ? "The key was already rolled." : "The key is revoked or expired.");
            }
            var requested = new NewApiKey(
                    old.name(), Optional.ofNullable(old.teamId()), Optional.ofNullable(old.workflowId()), expiresAt);
            NewlyStoredKey created = create(handle, organization, requested, createdBy);
            handle.createUpdate("""
                            UPDATE api_key SET replaced_by = :new, revoked_at = CASE WHEN :at_once THEN :now::timestamptz END,
                                expires_at = CASE WHEN :at_once THEN expires_at ELSE least(expires_at, :end::timestamptz) END
                            WHERE organization_id = :organization AND id = :id""")
                    .bind("organization", organization)
                    .bind("id", id)
                    .bind("new", created.apiKey().id())
                    .bind("at_once", overlap.isZero())
                    .bind("now", now)
                    .bind("end", now.plus(overlap))
                    .execute();
            return created;
        });
    }

    /** The hash of a key, for the cache. */
    byte[] storedHash(OrganizationId organization, ApiKeyId id) {
        return database.with(handle -> handle.createQuery(
                        "SELECT key_hash FROM api_key WHERE organization_id = :organization AND id = :id")
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(byte[].class)
                .one());
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
