package dev.parley.organization.member;

import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/**
 * The table {@code invitation}: one for each unproven account that can still be accepted or proven, valid once and for
 * {@link #LIFETIME}.
 */
interface InvitationStore {
    Duration LIFETIME = Duration.ofDays(7);

    /** Of the key that hashes tokens. */
    String HASH_PURPOSE = "invitation";

    /**
     * Creates an invitation, replacing an earlier one.
     *
     * @param mailed whether the token is only mailed, and not shown to anyone else
     */
    @SqlUpdate("""
            INSERT INTO invitation (organization_id, user_id, token_hash, expires_at, mailed, invited_by)
            VALUES (:organization, :user, :hash, :expires, :mailed, :inviter)
            ON CONFLICT (organization_id, user_id) DO UPDATE SET token_hash = excluded.token_hash,
                expires_at = excluded.expires_at, mailed = excluded.mailed, invited_by = excluded.invited_by""")
    void invite(OrganizationId organization, UserId user, byte[] hash, Instant expires, boolean mailed, UserId inviter);

    /** The invitation with a token, unless it was used, has expired or its organization was deleted. */
    @SqlQuery("""
            SELECT i.organization_id, o.name AS organization_name, i.user_id AS "user", u.email,
                m.role, i.mailed, i.expires_at,
                (SELECT b.name FROM app_user b WHERE b.id = i.invited_by) AS invited_by,
                EXISTS (SELECT FROM app_user p WHERE p.email = u.email AND p.proven_at IS NOT NULL
                    AND (NOT i.mailed OR p.password_hash IS NOT NULL
                        OR EXISTS (SELECT FROM user_identity d WHERE d.user_id = p.id))) AS has_account
            FROM invitation i
            JOIN organization o ON o.id = i.organization_id
            JOIN app_user u ON u.id = i.user_id
            JOIN membership m ON m.organization_id = i.organization_id AND m.user_id = i.user_id
            WHERE i.token_hash = :hash AND i.expires_at > :now AND o.deleted_at IS NULL""")
    Optional<OpenInvitation> find(byte[] hash, Instant now);

    @SqlUpdate("DELETE FROM invitation WHERE organization_id = :organization AND user_id = :user")
    void delete(OrganizationId organization, UserId user);
}
