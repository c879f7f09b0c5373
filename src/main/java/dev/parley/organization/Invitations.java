package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.db.Pepper;
import dev.parley.db.Secret;
import dev.parley.http.Person;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Invitations: one for each member who has no password yet, good once and for {@link #LIFETIME}. */
@Singleton
final class Invitations {
    static final Duration LIFETIME = Duration.ofDays(7);

    private final Database database;
    private final Pepper pepper;
    private final Clock clock;

    Invitations(Database database, Secret secret, Clock clock) {
        this.database = database;
        this.pepper = secret.pepper("invitation");
        this.clock = clock;
    }

    /** Makes an invitation, in place of an earlier one, and answers its token. */
    String invite(Handle handle, OrganizationId organization, UserId user) {
        String token = Tokens.next();
        handle.createUpdate("""
                        INSERT INTO invitation (organization_id, user_id, token_hash, expires_at)
                        VALUES (:organization, :user, :hash, :expires)
                        ON CONFLICT (organization_id, user_id)
                        DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at""")
                .bind("organization", organization)
                .bind("user", user)
                .bind("hash", pepper.hash(token))
                .bind("expires", time(clock.instant().plus(LIFETIME)))
                .execute();
        return token;
    }

    /** Whether the token can still be accepted; asked before the costly hashing. */
    boolean isOpen(String token) {
        return database.with(handle -> handle.createQuery("""
                        SELECT count(*) FROM invitation i JOIN organization o ON o.id = i.organization_id
                        WHERE i.token_hash = :hash AND i.expires_at > :now AND o.deleted_at IS NULL""")
                        .bind("hash", pepper.hash(token))
                        .bind("now", time(clock.instant()))
                        .mapTo(Integer.class)
                        .one()
                == 1);
    }

    /** Uses the invitation up and sets the password; of two at once only one succeeds. */
    Optional<Person> accept(Handle handle, String token, String passwordHash) {
        Optional<UUID> user = handle.createQuery("""
                        DELETE FROM invitation WHERE token_hash = :hash AND expires_at > :now RETURNING user_id""")
                .bind("hash", pepper.hash(token))
                .bind("now", time(clock.instant()))
                .mapTo(UUID.class)
                .findOne();
        return user.flatMap(id -> handle.createQuery("""
                        UPDATE app_user SET password_hash = :hash WHERE id = :id AND password_hash IS NULL
                          AND NOT EXISTS (SELECT FROM user_identity WHERE user_id = :id)
                        RETURNING id, email, name, operator""")
                .bind("hash", passwordHash)
                .bind("id", id)
                .map((row, _) -> new Person(
                        new UserId(row.getObject("id", UUID.class)),
                        row.getString("email"),
                        row.getString("name"),
                        row.getBoolean("operator")))
                .findOne());
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
