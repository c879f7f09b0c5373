package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.http.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.MembershipAudit.MembershipChange;
import dev.parley.organization.PasswordResetStore.CreatedPasswordReset;
import dev.parley.organization.PasswordResetStore.OpenPasswordReset;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Sets new passwords by links (docs/decisions/0134). A mailed or an operator's link works for every account. A link
 * that an admin has seen works only for an account that belongs to the admin's organization alone, and confines it.
 */
@Singleton
final class PasswordReset {
    private final Database database;
    private final PasswordResetStore resets;
    private final Members members;
    private final MemberStore memberStore;
    private final UserStore users;
    private final UnprovenAccounts unproven;
    private final SessionStore sessions;
    private final SignInThrottle throttle;
    private final PasswordHasher passwords;
    private final MembershipAudit audit;

    /** What decides whether an admin may create a link. */
    private record AccountTies(boolean operator, boolean hasIdentity, boolean isMember, boolean isMemberElsewhere) {}

    PasswordReset(
            Database database,
            PasswordResetStore resets,
            Members members,
            UserStore users,
            UnprovenAccounts unproven,
            SessionStore sessions,
            SignInThrottle throttle,
            PasswordHasher passwords,
            MembershipAudit audit) {
        this.database = database;
        this.resets = resets;
        this.members = members;
        this.memberStore = database.statements(MemberStore.class);
        this.users = users;
        this.unproven = unproven;
        this.sessions = sessions;
        this.throttle = throttle;
        this.passwords = passwords;
        this.audit = audit;
    }

    /**
     * Creates a link for a member, which the caller passes on.
     *
     * @param role the caller's role; an operator has the rights of an owner
     */
    CreatedPasswordReset createLink(OrganizationId organization, DashboardUser caller, Role role, UserId user) {
        return database.transaction(handle -> {
            Member member = members.lockedMember(organization, user);
            if (user.equals(caller.id())) {
                throw ApiProblem.of(ProblemKind.CONFLICT, "Change your own password in your account settings.");
            }
            if (member.status().equals("invited") && !member.emailProven()) {
                throw ApiProblem.of(
                        ProblemKind.CONFLICT,
                        "This person has not accepted the invitation yet: invite the person again instead.");
            }
            if (caller.operator()) {
                return resets.create(handle, user, Optional.empty());
            }
            Members.requireMayChange(role, Role.of(member.role()));
            requireResettable(handle, organization, user);
            return resets.create(handle, user, Optional.of(organization));
        });
    }

    /**
     * The link with a token, or 404. Only unknown tokens count for the throttle of the network address: a valid one
     * cannot be guessed, and must work in a network that an attacker shares.
     */
    OpenPasswordReset find(String token, String address) {
        return database.with(handle -> resets.find(handle, token)).orElseThrow(() -> {
            throttle.attempt(address);
            return ApiProblem.notFound("reset link");
        });
    }

    /** Sets the password, ends all sessions and links of the user, and starts a session. */
    SignIn.SignedIn complete(String token, String password, SessionClient client) {
        var _ = find(token, client.address());
        String hash = passwords.hash(password);
        return database.transaction(handle -> {
            OpenPasswordReset reset = locked(handle, token);
            UserId user = reset.user();
            reset.organization().ifPresent(organization -> confine(handle, organization, reset));
            resets.deleteAll(handle, user);
            sessions.endAll(handle, user);
            users.changePassword(handle, user, hash);
            memberStore
                    .organizationsOf(user)
                    .forEach(organization ->
                            audit.record(handle, organization, MembershipChange.PASSWORD_RESET, user, reset.email()));
            DashboardUser person = users.account(handle, user).orElseThrow().person();
            return new SignIn.SignedIn(person, sessions.begin(handle, user, client));
        });
    }

    /** Reads the link again under the lock of its address. */
    private OpenPasswordReset locked(Handle handle, String token) {
        Optional<OpenPasswordReset> found = resets.find(handle, token);
        found.ifPresent(reset -> unproven.lock(handle, reset.email(), reset.organization()));
        return found.flatMap(_ -> resets.find(handle, token)).orElseThrow(() -> ApiProblem.notFound("reset link"));
    }

    /** An admin has seen the link, so the account's password no longer proves who owns its address. */
    private void confine(Handle handle, OrganizationId organization, OpenPasswordReset reset) {
        requireResettable(handle, organization, reset.user());
        users.confine(
                handle, reset.user(), organization, () -> unproven.deleteFormer(handle, organization, reset.email()));
    }

    /** Rejects an account that is not the organization's alone: its admin must not sign in elsewhere with it. */
    private static void requireResettable(Handle handle, OrganizationId organization, UserId user) {
        AccountTies ties = handle.createQuery("""
                        SELECT u.operator,
                            EXISTS (SELECT FROM user_identity i WHERE i.user_id = u.id) AS has_identity,
                            EXISTS (SELECT FROM membership m
                                WHERE m.user_id = u.id AND m.organization_id = :organization) AS is_member,
                            EXISTS (SELECT FROM membership m JOIN organization o ON o.id = m.organization_id
                                WHERE m.user_id = u.id AND m.organization_id <> :organization
                                  AND o.deleted_at IS NULL) AS is_member_elsewhere
                        FROM app_user u WHERE u.id = :user""")
                .bind("organization", organization)
                .bind("user", user)
                .mapTo(AccountTies.class)
                .one();
        if (!ties.isMember()) {
            throw ApiProblem.notFound("reset link");
        }
        if (ties.operator()) {
            throw ApiProblem.of(
                    ProblemKind.FORBIDDEN, "This person is an operator: only an operator can create the link.");
        }
        if (ties.isMemberElsewhere()) {
            throw ApiProblem.of(
                    ProblemKind.CONFLICT,
                    "This account also belongs to another organization: only an operator, or the person with 'Forgot"
                            + " password?', can reset its password.");
        }
        if (ties.hasIdentity()) {
            throw ApiProblem.of(
                    ProblemKind.CONFLICT,
                    "This person signs in with OpenID Connect: only an operator can create a link for a password.");
        }
    }
}
