package dev.parley.apikey;

import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.SingleValue;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code api_key}. */
interface ApiKeyStore {
    String COLUMNS =
            " id, name, prefix, last_four, team_id, workflow_id, expires_at, last_used_at, created_by, created_at,"
                    + " revoked_at, replaced_by ";

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

    /**
     * Which keys to list.
     *
     * @param search part of the name or of the visible characters, in any case; empty for all
     * @param active whether to leave out revoked and expired keys
     */
    record KeyFilter(String search, boolean active) {}

    @SqlQuery("""
            INSERT INTO api_key (organization_id, id, key_hash, name, prefix, last_four, team_id, workflow_id, expires_at,
                created_by, created_at)
            VALUES (:organization, :id, :hash, :name, :prefix, :lastFour, :teamId, :workflowId, :expiresAt, :by, :now)
            RETURNING""" + COLUMNS)
    ApiKey insert(
            OrganizationId organization,
            ApiKeyId id,
            byte[] hash,
            String prefix,
            String lastFour,
            @BindMethods NewApiKey requested,
            String by,
            Instant now);

    /** Whether a key can be restricted to a workflow. */
    @SqlQuery("""
            SELECT EXISTS (SELECT FROM workflow
            WHERE organization_id = :organization AND id = :workflow AND archived_at IS NULL)""")
    boolean hasWorkflow(OrganizationId organization, WorkflowId workflow);

    /** Newest first. */
    @SqlQuery("SELECT" + COLUMNS + """
            FROM api_key
            WHERE organization_id = :organization AND (:after::uuid IS NULL OR id < :after::uuid)
              AND (NOT :active OR (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now::timestamptz)))
              AND (:search = '' OR strpos(lower(name), lower(:search)) > 0
                OR strpos(prefix || '…' || last_four, :search) > 0)
            ORDER BY id DESC LIMIT :limit""")
    List<ApiKey> list(
            OrganizationId organization,
            @BindMethods KeyFilter filter,
            Optional<ApiKeyId> after,
            Instant now,
            int limit);

    @SqlQuery("UPDATE api_key SET name = :name WHERE organization_id = :organization AND id = :id RETURNING" + COLUMNS)
    Optional<ApiKey> rename(OrganizationId organization, ApiKeyId id, String name);

    @SqlQuery("SELECT" + COLUMNS + "FROM api_key WHERE organization_id = :organization AND id = :id FOR NO KEY UPDATE")
    Optional<ApiKey> lock(OrganizationId organization, ApiKeyId id);

    /** Lets a key expire at the end of the overlap; without one it is revoked. */
    @SqlUpdate("""
            UPDATE api_key SET replaced_by = :replacement,
                revoked_at = CASE WHEN :end::timestamptz <= :now::timestamptz THEN :now::timestamptz END,
                expires_at = CASE WHEN :end::timestamptz <= :now::timestamptz THEN expires_at
                    ELSE least(expires_at, :end::timestamptz) END
            WHERE organization_id = :organization AND id = :id""")
    void replace(OrganizationId organization, ApiKeyId id, ApiKeyId replacement, Instant now, Instant end);

    @SingleValue
    @SqlQuery("SELECT key_hash FROM api_key WHERE organization_id = :organization AND id = :id")
    byte[] hash(OrganizationId organization, ApiKeyId id);

    /** Revokes a key permanently and returns its hash; empty if the organization has no such key. */
    @SqlQuery("""
            UPDATE api_key SET revoked_at = coalesce(revoked_at, :now)
            WHERE organization_id = :organization AND id = :id
            RETURNING key_hash""")
    Optional<byte[]> revoke(OrganizationId organization, ApiKeyId id, Instant now);

    /** The key with a hash, unless it was revoked or its team was deleted. */
    @SqlQuery("""
            SELECT k.organization_id AS organization, k.id, k.team_id, k.workflow_id, k.expires_at, k.last_used_at,
                o.deleted_at IS NOT NULL AS organization_gone, o.messages_per_minute
            FROM api_key k
            JOIN organization o ON o.id = k.organization_id
            LEFT JOIN team t ON t.organization_id = k.organization_id AND t.id = k.team_id
            WHERE k.key_hash = :hash AND k.revoked_at IS NULL AND t.deleted_at IS NULL""")
    Optional<StoredKey> find(byte[] hash);

    /** Whether the key is neither revoked nor expired, and its organization and its team still exist. */
    @SqlQuery("""
            SELECT EXISTS (
                SELECT FROM api_key k JOIN organization o ON o.id = k.organization_id
                LEFT JOIN team t ON t.organization_id = k.organization_id AND t.id = k.team_id
                WHERE k.organization_id = :organization AND k.id = :id AND k.revoked_at IS NULL
                  AND (k.expires_at IS NULL OR k.expires_at > :now)
                  AND o.deleted_at IS NULL AND t.deleted_at IS NULL)""")
    boolean isValid(OrganizationId organization, ApiKeyId id, Instant now);

    /** Records the use of a key; one node does. */
    @SqlUpdate("""
            UPDATE api_key SET last_used_at = :now
            WHERE organization_id = :organization AND id = :id AND (last_used_at IS NULL OR last_used_at <= :before)""")
    void use(OrganizationId organization, ApiKeyId id, Instant now, Instant before);
}
