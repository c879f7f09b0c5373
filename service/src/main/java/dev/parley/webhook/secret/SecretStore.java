package dev.parley.webhook.secret;

import dev.parley.id.OrganizationId;
import java.time.Instant;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code webhook_secret}. */
interface SecretStore {
    /** A current secret, encrypted. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record StoredSecret(
            byte[] secret, Instant createdAt, @Nullable Instant previousExpiresAt) {}

    @SqlQuery("""
            SELECT secret, created_at, (SELECT max(expires_at) FROM webhook_secret
                WHERE organization_id = :organization AND expires_at > :now) AS previous_expires_at
            FROM webhook_secret WHERE organization_id = :organization AND expires_at IS NULL""")
    StoredSecret current(OrganizationId organization, Instant now);

    /** Inserts a current secret if there is none. Blocks while another transaction inserts one. */
    @SqlUpdate("""
            INSERT INTO webhook_secret (organization_id, number, secret, created_at)
            SELECT :organization, coalesce(max(number), 0) + 1, :secret, :now
            FROM webhook_secret WHERE organization_id = :organization
            HAVING count(*) FILTER (WHERE expires_at IS NULL) = 0
            ON CONFLICT DO NOTHING""")
    void insertMissing(OrganizationId organization, byte[] secret, Instant now);

    @SqlUpdate("""
            UPDATE webhook_secret SET expires_at = :end WHERE organization_id = :organization AND expires_at IS NULL""")
    void expire(OrganizationId organization, Instant end);

    /** Deletes the expired secrets, and all but the newest {@code kept}. */
    @SqlUpdate("""
            DELETE FROM webhook_secret WHERE organization_id = :organization AND (expires_at <= :now
                OR number <= (SELECT max(number) FROM webhook_secret WHERE organization_id = :organization) - :kept)""")
    void deleteOld(OrganizationId organization, Instant now, int kept);
}
