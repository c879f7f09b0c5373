package dev.parley.organization.oidc;

import dev.parley.db.Database;
import dev.parley.db.Pepper;
import dev.parley.db.Secret;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.OrganizationStore;
import dev.parley.organization.Users;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The tables {@code user_identity} and {@code used_sign_in}: who people are at the provider. */
@Singleton
final class IdentityStore {
    private final Database database;
    private final Users users;
    private final Pepper pepper;
    private final Clock clock;

    IdentityStore(Database database, Users users, Secret secret, Clock clock) {
        this.database = database;
        this.users = users;
        this.pepper = secret.pepper("oidc state");
        this.clock = clock;
    }

    /** Where people may come in whom nobody invited. */
    record Newcomers(List<String> domains, Optional<OrganizationId> organization) {
        Newcomers {
            domains = List.copyOf(domains);
        }

        /** The organization for who has this e-mail address. */
        Optional<OrganizationId> organizationFor(String email) {
            return organization.filter(_ -> domains.contains(email.substring(email.lastIndexOf('@') + 1)));
        }
    }

    /** Marks an attempt as used; false when it was already. */
    boolean use(Attempt attempt) {
        return database.with(handle -> handle.createUpdate("""
                        INSERT INTO used_sign_in (state_hash, expires_at) VALUES (:hash, :expires)
                        ON CONFLICT DO NOTHING""")
                        .bind("hash", pepper.hash(attempt.state()))
                        .bind(
                                "expires",
                                Instant.ofEpochSecond(attempt.expires()).atOffset(ZoneOffset.UTC))
                        .execute()
                == 1);
    }

    /**
     * The user of an identity. One that was here before is found by its subject alone, whatever its e-mail address is
     * now. Another is linked to the user of its verified address, or becomes a user where newcomers may.
     */
    UserId user(Handle handle, String issuer, Identity identity, Newcomers newcomers) {
        Optional<UserId> known = find(handle, issuer, identity.subject());
        if (known.isPresent()) {
            return known.get();
        }
        String email = identity.email()
                .orElseThrow(() -> new Refused(
                        Refused.Why.EMAIL_NOT_VERIFIED, "The provider vouches for no e-mail address of the person."));
        UserId user = byEmail(handle, email).orElseGet(() -> create(handle, identity, email, newcomers));
        link(handle, issuer, identity.subject(), user, email);
        // Whoever holds an invitation's link could else set a password for the account.
        handle.createUpdate("DELETE FROM invitation WHERE user_id = :user")
                .bind("user", user)
                .execute();
        return user;
    }

    private static Optional<UserId> find(Handle handle, String issuer, String subject) {
        return handle.createQuery("SELECT user_id FROM user_identity WHERE issuer = :issuer AND subject = :subject")
                .bind("issuer", issuer)
                .bind("subject", subject)
                .mapTo(UUID.class)
                .map(UserId::new)
                .findOne();
    }

    private static Optional<UserId> byEmail(Handle handle, String email) {
        return handle.createQuery("SELECT id FROM app_user WHERE email = :email FOR UPDATE")
                .bind("email", email)
                .mapTo(UUID.class)
                .map(UserId::new)
                .findOne();
    }

    private UserId create(Handle handle, Identity identity, String email, Newcomers newcomers) {
        OrganizationId organization = newcomers
                .organizationFor(email)
                .filter(id -> OrganizationStore.lock(handle, id))
                .orElseThrow(() -> new Refused(Refused.Why.NOT_INVITED, "Nobody here has the e-mail address."));
        Optional<UserId> created = users.create(handle, email, identity.name(), null, false);
        if (created.isEmpty()) {
            return byEmail(handle, email).orElseThrow(); // made by another request just now
        }
        handle.createUpdate("""
                        INSERT INTO membership (organization_id, user_id, role, created_at)
                        VALUES (:organization, :user, 'member', :now)""")
                .bind("organization", organization)
                .bind("user", created.get())
                .bind("now", now())
                .execute();
        return created.get();
    }

    private void link(Handle handle, String issuer, String subject, UserId user, String email) {
        int linked = handle.createUpdate("""
                        INSERT INTO user_identity (issuer, subject, user_id, email, created_at)
                        VALUES (:issuer, :subject, :user, :email, :now) ON CONFLICT DO NOTHING""")
                .bind("issuer", issuer)
                .bind("subject", subject)
                .bind("user", user)
                .bind("email", email)
                .bind("now", now())
                .execute();
        if (linked == 0 && !find(handle, issuer, subject).equals(Optional.of(user))) {
            throw new Refused(Refused.Why.OTHER_ACCOUNT, "The person is linked to another subject.");
        }
    }

    private OffsetDateTime now() {
        return clock.instant().atOffset(ZoneOffset.UTC);
    }
}
