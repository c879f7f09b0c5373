package dev.parley.organization.member;

import dev.parley.db.Database;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.http.access.DashboardUser;
import dev.parley.id.UserId;
import dev.parley.organization.MemberStore;
import dev.parley.organization.account.MembershipAudit;
import dev.parley.organization.account.MembershipAudit.MembershipChange;
import dev.parley.organization.account.UnprovenAccounts;
import dev.parley.organization.user.UserStore;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;

/**
 * Accepts invitations. If the address has a proven account, that account accepts while signed in. Otherwise the person
 * chooses a password: a mailed token proves the address and creates an account that replaces all unproven ones; a token
 * passed on by the admin creates an account of this organization only.
 */
public @Singleton final class InvitationAcceptance {
    private final Database database;
    private final InvitationStore invitations;
    private final UnprovenAccounts unproven;
    private final UserStore users;
    private final MemberStore members;
    private final MembershipAudit audit;
    private final HmacHasher hasher;
    private final Clock clock;

    InvitationAcceptance(
            Database database, UnprovenAccounts unproven, MembershipAudit audit, MasterKey masterKey, Clock clock) {
        this.database = database;
        this.invitations = database.statements(InvitationStore.class);
        this.unproven = unproven;
        this.users = database.statements(UserStore.class);
        this.members = database.statements(MemberStore.class);
        this.audit = audit;
        this.hasher = masterKey.hasher(InvitationStore.HASH_PURPOSE);
        this.clock = clock;
    }

    /** The invitation with a token, or 404. */
    public OpenInvitation find(String token) {
        return invitations
                .find(hasher.hash(token), clock.instant())
                .orElseThrow(() -> ApiProblem.notFound("invitation"));
    }

    /** Makes the signed-in account a member; 403 unless the invitation is for that account. */
    public void byAccount(String token, DashboardUser user) {
        database.change(_ -> {
            OpenInvitation invitation = locked(token);
            requireAccountOf(invitation, user);
            unproven.join(invitation.organizationId(), user.id(), invitation.email());
        });
    }

    /** Rejects every account except the proven account of the invitation's address (403). */
    void requireAccountOf(OpenInvitation invitation, DashboardUser user) {
        if (!user.email().equals(invitation.email())) {
            throw ApiProblem.of(
                    ProblemKind.FORBIDDEN,
                    "The invitation is for another account: sign in as " + invitation.email() + ".");
        }
        if (!user.emailProven()) {
            throw ApiProblem.of(
                    ProblemKind.FORBIDDEN,
                    "This account's email address is not proven, so the account belongs to one organization alone.");
        }
    }

    /** Rejects a password (409) if the address has an account, which already has a password or a provider. */
    public void requireNoAccount(OpenInvitation invitation) {
        if (invitation.hasAccount()) {
            throw ApiProblem.of(
                    ProblemKind.CONFLICT,
                    "This email address has an account: sign in with it, and open the invitation's link again.");
        }
    }

    /** Sets the invited person's password and returns the resulting account. */
    public UserId byPassword(String token, String passwordHash) {
        OpenInvitation invitation = locked(token);
        requireNoAccount(invitation);
        invitations.delete(invitation.organizationId(), invitation.user());
        UserId account = accountFor(invitation);
        users.changePassword(account, passwordHash);
        if (!unproven.join(invitation.organizationId(), account, invitation.email())) {
            audit.record(invitation.organizationId(), MembershipChange.ACCEPTED, account, invitation.email());
        }
        return account;
    }

    private UserId accountFor(OpenInvitation invitation) {
        if (!invitation.mailed()) {
            return invitation.user();
        }
        // A proven account is returned here only if it has neither a password nor a provider any more.
        return users.proven(invitation.email()).orElseGet(() -> prove(invitation));
    }

    /** The invited account if it was never used; else a new one, so that nothing of the used one is taken over. */
    private UserId prove(OpenInvitation invitation) {
        UserStore.UserAccount invited = users.account(invitation.user()).orElseThrow();
        UserId account = invitation.user();
        if (invited.passwordHash() == null) {
            users.prove(account, clock.instant());
        } else {
            DashboardUser user = invited.user();
            account = users.create(UserId.next(), user.email(), user.name(), false, null, clock.instant())
                    .orElseThrow();
            members.copy(invitation.organizationId(), invitation.user(), account);
        }
        unproven.replaceAll(invitation.email());
        return account;
    }

    /** Reads the invitation again under the lock of its address. */
    private OpenInvitation locked(String token) {
        unproven.lock(find(token).email(), Optional.empty());
        return find(token);
    }
}
