package dev.parley.organization.account;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.MemberStore;
import dev.parley.organization.Role;
import dev.parley.organization.TeamStore;
import dev.parley.organization.account.MembershipAudit.MembershipChange;
import dev.parley.organization.session.SessionStore;
import dev.parley.organization.user.UserStore;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;

/**
 * Accounts with an unproven address. Each belongs to the organization that created it. One without a password
 * represents an invited person; one with a password was set up with a token that the inviting admin has seen, and is
 * replaced when the address is proven. Called within transactions.
 */
@Singleton
public final class UnprovenAccounts {
    /** Key space of advisory locks; an arbitrary number that no other lock uses. */
    private static final int ADDRESS_LOCK = 0x7061726c;

    private final UserStore users;
    private final MemberStore members;
    private final TeamStore teams;
    private final SessionStore sessions;
    private final MembershipAudit audit;
    private final Clock clock;

    public UnprovenAccounts(Database database, MembershipAudit audit, Clock clock) {
        this.users = database.statements(UserStore.class);
        this.members = database.statements(MemberStore.class);
        this.teams = database.statements(TeamStore.class);
        this.sessions = database.statements(SessionStore.class);
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Serialises changes to the accounts of one address, and to the members of all organizations concerned, until the
     * transaction ends. Organizations are locked in a fixed order, so two addresses cannot deadlock.
     */
    public void lock(String email, Optional<OrganizationId> additional) {
        users.lock(ADDRESS_LOCK, email);
        var _ = users.lockOrganizations(email, additional);
    }

    /**
     * Deletes the address's accounts that have a password, with their sessions and memberships: their passwords were
     * chosen without proving the address. Open invitations remain, for the proven account to accept.
     */
    public void replaceAll(String email) {
        for (UserStore.UnprovenAccount account : users.usedUnproven(email)) {
            if (delete(account.id())) {
                audit.record(account.organization(), MembershipChange.REPLACED, account.id(), email);
            }
        }
    }

    /** Deletes the account of a former member, so that a new invitation to the address begins with a new account. */
    public void deleteFormer(OrganizationId organization, String email) {
        users.ofOrganization(organization, email).forEach(this::delete);
    }

    /**
     * Deletes an account with its membership, sessions and invitation; ignores a proven one.
     *
     * @return whether the account was a member
     */
    public boolean delete(UserId user) {
        // The lock prevents a concurrent sign-in from adding a session.
        if (users.lockUnproven(user).isEmpty()) {
            return false;
        }
        sessions.endAll(user);
        boolean wasMember = members.deleteAll(user);
        users.delete(user);
        return wasMember;
    }

    /**
     * Makes a proven account a member in place of the account that represents its open invitation, with that account's
     * role and teams.
     *
     * @return false if the organization has not invited the address
     */
    public boolean join(OrganizationId organization, UserId proven, String email) {
        Optional<UserId> invited = users.invited(organization, email);
        if (invited.isEmpty()) {
            return false;
        }
        members.copy(organization, invited.get(), proven);
        teams.moveMember(organization, invited.get(), proven);
        delete(invited.get());
        audit.record(organization, MembershipChange.ACCEPTED, proven, email);
        return true;
    }

    /** Adds the user as a member, with the role of the organization's own invitation if there is one. */
    public void register(OrganizationId organization, UserId user, String email) {
        if (!join(organization, user, email)) {
            members.insert(organization, user, Role.MEMBER.text(), clock.instant());
            audit.record(organization, MembershipChange.REGISTERED, user, email);
        }
    }
}
