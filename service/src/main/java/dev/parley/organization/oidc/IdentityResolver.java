package dev.parley.organization.oidc;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.OrganizationStore;
import dev.parley.organization.account.UnprovenAccounts;
import dev.parley.organization.oidc.OidcRejection.OidcRejectionReason;
import dev.parley.organization.user.UserStore;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Finds or creates the users of identities. */
@Singleton
final class IdentityResolver {
    private final IdentityStore store;
    private final OrganizationStore organizations;
    private final UserStore users;
    private final UnprovenAccounts unproven;
    private final Clock clock;

    IdentityResolver(Database database, UnprovenAccounts unproven, Clock clock) {
        this.store = database.statements(IdentityStore.class);
        this.organizations = database.statements(OrganizationStore.class);
        this.users = database.statements(UserStore.class);
        this.unproven = unproven;
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

    /**
     * Returns the user of an identity, within a transaction. A known identity is found by its subject alone, whatever
     * its email address is now. A new one is linked to the proven account of its verified address; without such an
     * account, it gets one if the address is invited or self-registered. The new account replaces unproven ones, and
     * invitations stay open.
     */
    UserId resolveUser(String issuer, OidcIdentity identity, SelfRegistration registration) {
        Optional<UserId> known = store.find(issuer, identity.subject());
        if (known.isPresent()) {
            return known.get();
        }
        String email = identity.email()
                .orElseThrow(() -> new OidcRejection(
                        OidcRejectionReason.EMAIL_NOT_VERIFIED,
                        "The provider has not verified an email address of the user."));
        unproven.lock(email, registration.organizationFor(email));
        UserId user = users.proven(email).orElseGet(() -> create(email, identity.name(), registration));
        if (!store.link(issuer, identity.subject(), user, email, clock.instant())
                && !store.find(issuer, identity.subject()).equals(Optional.of(user))) {
            throw new OidcRejection(
                    OidcRejectionReason.OTHER_ACCOUNT, "The account is linked to another subject of the provider.");
        }
        return user;
    }

    private UserId create(String email, String name, SelfRegistration registration) {
        Optional<OrganizationId> organization = registration
                .organizationFor(email)
                .filter(id -> organizations.lock(id).isPresent() && !users.wasRemoved(id, email));
        if (organization.isEmpty() && !users.isInvited(email)) {
            throw new OidcRejection(
                    OidcRejectionReason.NOT_INVITED, "The email address has neither an account nor an invitation.");
        }
        unproven.replaceAll(email);
        UserId user = users.create(UserId.next(), email, name, false, null, clock.instant())
                .orElseThrow();
        organization.ifPresent(id -> unproven.register(id, user, email));
        return user;
    }
}
