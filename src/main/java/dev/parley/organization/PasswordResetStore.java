package dev.parley.organization;

import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code password_reset}: links that set a new password, valid once and for {@link #LIFETIME}. A user may have
 * several, so that a request by another person does not invalidate the link in the user's mailbox.
 */
@Singleton
public final class PasswordResetStore {
    public static final Duration LIFETIME = Duration.ofHours(1);

    /** The page that uses the token. A fragment is sent to no server, so tokens are in no access log. */
    public static final String PAGE = "/reset-password#";

    private final HmacHasher hasher;
    private final Clock clock;

    /**
     * A link that is still valid.
     *
     * @param organization the organization whose admin has seen the link; empty for a mailed or an operator's link
     */
    record OpenPasswordReset(UserId user, String email, Optional<OrganizationId> organization, Instant expiresAt) {}

    public PasswordResetStore(MasterKey secret, Clock clock) {
        this.hasher = secret.hasher("password reset");
        this.clock = clock;
    }

    /** A new link's token. Only its hash is stored. */
    public record CreatedPasswordReset(String token, Instant expiresAt) {
        @Override
        public String toString() {
            return "CreatedPasswordReset[" + expiresAt + "]";
        }
    }

    /** @param organization the organization whose admin sees the link, if an admin creates it */
    public CreatedPasswordReset create(Handle handle, UserId user, Optional<OrganizationId> organization) {
        String token = RandomTokens.next();
        Instant expires = clock.instant().plus(LIFETIME);
        handle.createUpdate("""
                        INSERT INTO password_reset (token_hash, user_id, organization_id, expires_at)
                        VALUES (:hash, :user, :organization, :expires)""")
                .bind("hash", hasher.hash(token))
                .bind("user", user)
                .bind("organization", organization)
                .bind("expires", expires)
                .execute();
        return new CreatedPasswordReset(token, expires);
    }

    /**
     * An account that can get a link.
     *
     * @param organization the name of the organization that an unproven account belongs to; null for a proven one
     */
    public record ResettableAccount(UserId user, @Nullable String organization) {}

    /** The accounts of an address, without those of people who have not accepted their invitation. */
    public static List<ResettableAccount> accounts(Handle handle, String email) {
        return handle.createQuery("""
                        SELECT u.id AS "user", o.name AS organization
                        FROM app_user u LEFT JOIN organization o ON o.id = u.organization_id
                        WHERE u.email = :email AND (u.proven_at IS NOT NULL OR u.password_hash IS NOT NULL)
                        ORDER BY u.id""")
                .bind("email", UserStore.normalized(email))
                .mapTo(ResettableAccount.class)
                .list();
    }

    /** The link with a token, unless it was used or has expired. */
    Optional<OpenPasswordReset> find(Handle handle, String token) {
        return handle.createQuery("""
                        SELECT r.user_id AS "user", u.email, r.organization_id AS organization, r.expires_at
                        FROM password_reset r JOIN app_user u ON u.id = r.user_id
                        WHERE r.token_hash = :hash AND r.expires_at > :now""")
                .bind("hash", hasher.hash(token))
                .bind("now", clock.instant())
                .mapTo(OpenPasswordReset.class)
                .findOne();
    }

    /** Deletes all links of the user. */
    void deleteAll(Handle handle, UserId user) {
        handle.createUpdate("DELETE FROM password_reset WHERE user_id = :user")
                .bind("user", user)
                .execute();
    }
}
