package dev.parley.organization.passwordreset;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.user.NormalizedEmail;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The table {@code password_reset}, and who may get a link. */
public interface PasswordResetStore {
    /**
     * A link that is still valid.
     *
     * @param organization the organization whose admin has seen the link; empty for a mailed or an operator's link
     */
    @Schema(name = "PasswordResetView")
    record OpenPasswordReset(
            @JsonIgnore UserId user,
            @Schema(examples = "ada@acme.example") String email,
            @JsonIgnore Optional<OrganizationId> organization,
            Instant expiresAt) {}

    /** What decides whether an admin may create a link. */
    record AccountTies(boolean operator, boolean hasIdentity, boolean isMember, boolean isMemberElsewhere) {}

    /**
     * A proven account, and the organization whose outbox sends the mail.
     *
     * @param hasPassword false if the user signs in with OpenID Connect only
     */
    record ResetRecipient(UserId user, String email, String name, boolean hasPassword, OrganizationId organization) {}

    @SqlUpdate("""
            INSERT INTO password_reset (token_hash, user_id, organization_id, expires_at)
            VALUES (:hash, :user, :organization, :expires)""")
    void insert(byte[] hash, UserId user, Optional<OrganizationId> organization, Instant expires);

    /** The link with a token, unless it was used or has expired. */
    @SqlQuery("""
            SELECT r.user_id AS "user", u.email, r.organization_id AS organization, r.expires_at
            FROM password_reset r JOIN app_user u ON u.id = r.user_id
            WHERE r.token_hash = :hash AND r.expires_at > :now""")
    Optional<OpenPasswordReset> find(byte[] hash, Instant now);

    /** Deletes all links of the user. */
    @SqlUpdate("DELETE FROM password_reset WHERE user_id = :user")
    void deleteAll(UserId user);

    @SqlQuery("""
            SELECT u.operator,
                EXISTS (SELECT FROM user_identity i WHERE i.user_id = u.id) AS has_identity,
                EXISTS (SELECT FROM membership m
                    WHERE m.user_id = u.id AND m.organization_id = :organization) AS is_member,
                EXISTS (SELECT FROM membership m JOIN organization o ON o.id = m.organization_id
                    WHERE m.user_id = u.id AND m.organization_id <> :organization
                      AND o.deleted_at IS NULL) AS is_member_elsewhere
            FROM app_user u WHERE u.id = :user""")
    AccountTies ties(OrganizationId organization, UserId user);

    /**
     * Empty without a proven account, or without an organization to send the mail: one that has the person, or invited
     * the address.
     */
    @SqlQuery("""
            SELECT * FROM (
                SELECT u.id AS "user", u.email, u.name,
                    u.password_hash IS NOT NULL
                        OR NOT EXISTS (SELECT FROM user_identity i WHERE i.user_id = u.id) AS has_password,
                    coalesce(
                        (SELECT m.organization_id FROM membership m JOIN organization o ON o.id = m.organization_id
                            WHERE m.user_id = u.id AND o.deleted_at IS NULL
                            ORDER BY m.organization_id LIMIT 1),
                        (SELECT a.organization_id FROM app_user a JOIN organization o ON o.id = a.organization_id
                            WHERE a.email = u.email AND a.proven_at IS NULL AND o.deleted_at IS NULL
                            ORDER BY a.organization_id LIMIT 1),
                        (SELECT o.id FROM organization o
                            WHERE u.operator AND o.deleted_at IS NULL ORDER BY o.id LIMIT 1)) AS organization
                FROM app_user u WHERE u.email = :email AND u.proven_at IS NOT NULL) r
            WHERE organization IS NOT NULL""")
    Optional<ResetRecipient> recipient(@NormalizedEmail String email);
}
