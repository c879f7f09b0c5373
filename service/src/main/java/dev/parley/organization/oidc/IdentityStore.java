package dev.parley.organization.oidc;

import dev.parley.id.UserId;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The tables {@code user_identity}, which links users to subjects of the provider, and {@code used_sign_in}. */
interface IdentityStore {
    /** Marks an attempt as used; false if it was already used. */
    @SqlUpdate("INSERT INTO used_sign_in (state_hash, expires_at) VALUES (:hash, :expires) ON CONFLICT DO NOTHING")
    boolean markUsed(byte[] hash, Instant expires);

    @SqlQuery("SELECT user_id FROM user_identity WHERE issuer = :issuer AND subject = :subject")
    Optional<UserId> find(String issuer, String subject);

    /** False if the subject is linked already, or the user to another subject. */
    @SqlUpdate("""
            INSERT INTO user_identity (issuer, subject, user_id, email, created_at)
            VALUES (:issuer, :subject, :user, :email, :now) ON CONFLICT DO NOTHING""")
    boolean link(String issuer, String subject, UserId user, String email, Instant now);
}
