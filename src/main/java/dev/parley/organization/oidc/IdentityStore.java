package dev.parley.organization.oidc;

import dev.parley.db.Database;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.MembershipAudit;
import dev.parley.organization.OrganizationStore;
import dev.parley.organization.UnprovenAccounts;
import dev.parley.organization.UserStore;
import dev.parley.organization.oidc.OidcRejection.OidcRejectionReason;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The tables {@code user_identity}, which links users to subjects of the provider, and {@code used_sign_in}. */
@Singleton
final class IdentityStore {
    private final Database database;
    private final OrganizationStore organizations;
    private final UserStore users;
    private final UnprovenAccounts unproven;
    private final MembershipAudit audit;
    private final HmacHasher stateHasher;
    private final Clock clock;

    IdentityStore(
            Database database,
            UserStore users,
            UnprovenAccounts unproven,
            MembershipAudit audit,
            MasterKey secret,
            Clock clock) {
        this.database = database;
        this.organizations = database.statements(OrganizationStore.class);
        this.users = users;
        this.unproven = unproven;
        this.audit = audit;
        this.stateHasher = secret.hasher("oidc state");
        this.clock = clock;
    }

    /** The self-registration rule: users with an address in one of the domains become members of the organization. */
    record SelfRegistration(List<String> domains, Optional<OrganizationId> organization) {
        SelfRegistration {
            domains = List.copyOf(domains);
        }

        /** The organization that a new user with this email address joins. */
        Optional<OrganizationId> organizationFor(String email) {
            return organization.filter(_ -> domains.contains(email.substring(email.lastIndexOf('@') + 1)));
        }
    }

    /** Marks an attempt as used; false if it was already used. */
    boolean markUsed(OidcAttempt attempt) {
        return database.with(handle -> handle.createUpdate("""
                        INSERT INTO used_sign_in (state_hash, expires_at) VALUES (:hash, :expires)
                        ON CONFLICT DO NOTHING""")
                        .bind("hash", stateHasher.hash(attempt.state()))
                        .bind("expires", Instant.ofEpochSecond(attempt.expires()))
                        .execute()
                == 1);
    }

    /** Whether the subject is linked to a user. */
    boolean isKnown(OidcTokens tokens) {
        return database.with(handle -> find(handle, tokens.issuer(), tokens.subject()))
                .isPresent();
    }

    /**
     * Returns the user of an identity. A known identity is found by its subject alone, whatever its email address is
     * now. A new one is linked to the proven account of its verified address; without such an account, it gets one if
     * the address is invited or self-registered. The new account replaces unproven ones, and invitations stay open.
     */
    UserId resolveUser(Handle handle, String issuer, OidcIdentity identity, SelfRegistration registration) {
        Optional<UserId> known = find(handle, issuer, identity.subject());
        if (known.isPresent()) {
            return known.get();
        }
        String email = identity.email()
                .orElseThrow(() -> new OidcRejection(
                        OidcRejectionReason.EMAIL_NOT_VERIFIED,
                        "The provider has not verified an email address of the user."));
        unproven.lock(handle, email, registration.organizationFor(email));
        UserId user = users.proven(handle, email).orElseGet(() -> create(handle, email, identity.name(), registration));
        link(handle, issuer, identity.subject(), user, email);
        return user;
    }

    private static Optional<UserId> find(Handle handle, String issuer, String subject) {
        return handle.createQuery("SELECT user_id FROM user_identity WHERE issuer = :issuer AND subject = :subject")
                .bind("issuer", issuer)
                .bind("subject", subject)
                .mapTo(UserId.class)
                .findOne();
    }

    private UserId create(Handle handle, String email, String name, SelfRegistration registration) {
        Optional<OrganizationId> organization = registration
                .organizationFor(email)
                .filter(id -> organizations.lock(id).isPresent() && !unproven.wasRemoved(handle, id, email));
        if (organization.isEmpty() && !unproven.areKnown(handle, email)) {
            throw new OidcRejection(
                    OidcRejectionReason.NOT_INVITED, "The email address has neither an account nor an invitation.");
        }
        unproven.replaceAll(handle, email);
        UserId user = users.create(handle, email, name, null, false).orElseThrow();
        organization.ifPresent(id -> register(handle, id, user, email));
        return user;
    }

    /** Adds the user as a member, with the role of the organization's own invitation if there is one. */
    private void register(Handle handle, OrganizationId organization, UserId user, String email) {
        if (unproven.join(handle, organization, user, email)) {
            return;
        }
        handle.createUpdate("""
                        INSERT INTO membership (organization_id, user_id, role, created_at)
                        VALUES (:organization, :user, 'member', :now)""")
                .bind("organization", organization)
                .bind("user", user)
                .bind("now", clock.instant())
                .execute();
        audit.record(handle, organization, MembershipAudit.MembershipChange.REGISTERED, user, email);
    }

    private void link(Handle handle, String issuer, String subject, UserId user, String email) {
        int linked = handle.createUpdate("""
                        INSERT INTO user_identity (issuer, subject, user_id, email, created_at)
                        VALUES (:issuer, :subject, :user, :email, :now) ON CONFLICT DO NOTHING""")
                .bind("issuer", issuer)
                .bind("subject", subject)
                .bind("user", user)
                .bind("email", email)
                .bind("now", clock.instant())
                .execute();
        if (linked == 0 && !find(handle, issuer, subject).equals(Optional.of(user))) {
            throw new OidcRejection(
                    OidcRejectionReason.OTHER_ACCOUNT, "The account is linked to another subject of the provider.");
        }
    }
}
