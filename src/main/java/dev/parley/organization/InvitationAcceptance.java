package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.http.DashboardUser;
import dev.parley.id.UserId;
import dev.parley.organization.MembershipAudit.MembershipChange;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Accepts invitations. If the address has a proven account, that account accepts while signed in. Otherwise the person
 * chooses a password: a mailed token proves the address and creates an account that replaces all unproven ones; a token
 * passed on by the admin creates an account of this organization only.
 */
@Singleton
final class InvitationAcceptance {
    private final Database database;
    private final InvitationStore invitations;
    private final UnprovenAccounts unproven;
    private final UserStore users;
    private final MembershipAudit audit;

    InvitationAcceptance(
            Database database,
            InvitationStore invitations,
            UnprovenAccounts unproven,
            UserStore users,
            MembershipAudit audit) {
        this.database = database;
        this.invitations = invitations;
        this.unproven = unproven;
        this.users = users;
        this.audit = audit;
    }

    /** The invitation with a token, or 404. */
    OpenInvitation find(String token) {
        return database.with(handle -> invitations.find(handle, token))
                .orElseThrow(() -> ApiProblem.notFound("invitation"));
    }

    /** Makes the signed-in account a member; 403 unless the invitation is for that account. */
    void byAccount(String token, DashboardUser person) {
        database.change(handle -> {
            OpenInvitation invitation = locked(handle, token);
            requireAccountOf(invitation, person);
            unproven.join(handle, invitation.organization(), person.id(), invitation.email());
        });
    }

    /** Rejects every account except the proven account of the invitation's address (403). */
    void requireAccountOf(OpenInvitation invitation, DashboardUser person) {
        if (!person.email().equals(invitation.email())) {
            throw ApiProblem.of(
                    ProblemKind.FORBIDDEN,
                    "The invitation is for another account: sign in as " + invitation.email() + ".");
        }
        if (!person.emailProven()) {
            throw ApiProblem.of(
                    ProblemKind.FORBIDDEN,
                    "This account's email address is not proven, so the account belongs to one organization alone.");
        }
    }

    /** Rejects a password (409) if the address has an account, which already has a password or a provider. */
    void requireNoAccount(OpenInvitation invitation) {
        if (invitation.hasAccount()) {
            throw ApiProblem.of(
                    ProblemKind.CONFLICT,
                    "This email address has an account: sign in with it, and open the invitation's link again.");
        }
    }

    /** Sets the invited person's password and returns the resulting account. */
    UserId byPassword(Handle handle, String token, String passwordHash) {
        OpenInvitation invitation = locked(handle, token);
        requireNoAccount(invitation);
        invitations.delete(handle, invitation);
        UserId account = accountFor(handle, invitation);
        users.changePassword(handle, account, passwordHash);
        if (!unproven.join(handle, invitation.organization(), account, invitation.email())) {
            audit.record(handle, invitation.organization(), MembershipChange.ACCEPTED, account, invitation.email());
        }
        return account;
    }

    private UserId accountFor(Handle handle, OpenInvitation invitation) {
        if (!invitation.mailed()) {
            return invitation.user();
        }
        // A proven account is returned here only if it has neither a password nor a provider any more.
        return users.proven(handle, invitation.email()).orElseGet(() -> prove(handle, invitation));
    }

    /** The invited account if it was never used; else a new one, so that nothing of the used one is taken over. */
    private UserId prove(Handle handle, OpenInvitation invitation) {
        UserStore.UserAccount invited = users.account(handle, invitation.user()).orElseThrow();
        UserId account = invitation.user();
        if (invited.passwordHash() == null) {
            users.prove(handle, account);
        } else {
            DashboardUser person = invited.person();
            account = users.create(handle, person.email(), person.name(), null, false)
                    .orElseThrow();
            unproven.copyMembership(handle, invitation.organization(), invitation.user(), account);
        }
        unproven.replaceAll(handle, invitation.email());
        return account;
    }

    /** Reads the invitation again under the lock of its address. */
    private OpenInvitation locked(Handle handle, String token) {
        Optional<OpenInvitation> found = invitations.find(handle, token);
        found.ifPresent(invitation -> unproven.lock(handle, invitation.email(), Optional.empty()));
        return found.flatMap(_ -> invitations.find(handle, token)).orElseThrow(() -> ApiProblem.notFound("invitation"));
    }
}
