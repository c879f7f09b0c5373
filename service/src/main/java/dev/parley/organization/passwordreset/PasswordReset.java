package dev.parley.organization.passwordreset;

import dev.parley.db.Database;
import dev.parley.http.access.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.Member;
import dev.parley.organization.MemberStore;
import dev.parley.organization.OrganizationStore;
import dev.parley.organization.Role;
import dev.parley.organization.account.MembershipAudit;
import dev.parley.organization.account.MembershipAudit.MembershipChange;
import dev.parley.organization.account.UnprovenAccounts;
import dev.parley.organization.passwordreset.PasswordResetLinks.CreatedPasswordReset;
import dev.parley.organization.passwordreset.PasswordResetStore.AccountTies;
import dev.parley.organization.passwordreset.PasswordResetStore.OpenPasswordReset;
import dev.parley.organization.session.SessionClient;
import dev.parley.organization.session.SessionStore;
import dev.parley.organization.session.Sessions;
import dev.parley.organization.session.SignInThrottle;
import dev.parley.organization.session.SignedIn;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.UserStore;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Sets new passwords by links (docs/decisions/0112). A mailed or an operator's link works for every account. A link
 * that an admin has seen works only for an account that belongs to the admin's organization alone, and confines it.
 */
public @Singleton final class PasswordReset {
    private final Database database;
    private final PasswordResetStore store;
    private final PasswordResetLinks links;
    private final OrganizationStore organizations;
    private final MemberStore memberStore;
    private final UserStore users;
    private final UnprovenAccounts unproven;
    private final SessionStore sessionStore;
    private final Sessions sessions;
    private final SignInThrottle throttle;
    private final PasswordHasher passwords;
    private final MembershipAudit audit;

    PasswordReset(
            Database database,
            PasswordResetLinks links,
            UnprovenAccounts unproven,
            Sessions sessions,
            SignInThrottle throttle,
            PasswordHasher passwords,
            MembershipAudit audit) {
        this.database = database;
        this.store = database.statements(PasswordResetStore.class);
        this.links = links;
        this.organizations = database.statements(OrganizationStore.class);
        this.memberStore = database.statements(MemberStore.class);
        this.users = database.statements(UserStore.class);
        this.unproven = unproven;
        this.sessionStore = database.statements(SessionStore.class);
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
    public CreatedPasswordReset createLink(OrganizationId organization, DashboardUser caller, Role role, UserId user) {
        return database.transaction(() -> {
            organizations.lockExisting(organization);
            Member member = memberStore.find(organization, user).orElseThrow(() -> ApiProblem.notFound("member"));
            if (user.equals(caller.id())) {
                throw ApiProblem.of(ProblemKind.CONFLICT, "Change your own password in your account settings.");
            }
            if (member.status().equals("invited") && !member.emailProven()) {
                throw ApiProblem.of(
                        ProblemKind.WRONG_STATUS,
                        "This person has not accepted the invitation yet: invite the person again instead.");
            }
            if (caller.operator()) {
                return links.create(user, Optional.empty());
            }
            role.requireMayChange(Role.of(member.role()));
            requireResettable(organization, user);
            return links.create(user, Optional.of(organization));
        });
    }

    /**
     * The link with a token, or 404. Only unknown tokens count for the throttle of the network address: a valid one
     * cannot be guessed, and must work in a network that an attacker shares.
     */
    OpenPasswordReset find(String token, String address) {
        return links.find(token).orElseThrow(() -> {
            throttle.attempt(address);
            return ApiProblem.notFound("reset link");
        });
    }

    /** Sets the password, ends all sessions and links of the user, and starts a session. */
    SignedIn complete(String token, String password, SessionClient client) {
        var _ = find(token, client.address());
        String hash = passwords.hash(password);
        return database.transaction(() -> {
            OpenPasswordReset reset = locked(token);
            UserId user = reset.user();
            reset.organization().ifPresent(organization -> confine(organization, reset));
            store.deleteAll(user);
            sessionStore.endAll(user);
            users.changePassword(user, hash);
            memberStore
                    .organizationsOf(user)
                    .forEach(organization ->
                            audit.record(organization, MembershipChange.PASSWORD_RESET, user, reset.email()));
            return new SignedIn(users.account(user).orElseThrow().user(), sessions.begin(user, client));
        });
    }

    /** Reads the link again under the lock of its address. */
    private OpenPasswordReset locked(String token) {
        Optional<OpenPasswordReset> found = links.find(token);
        found.ifPresent(reset -> unproven.lock(reset.email(), reset.organization()));
        return found.flatMap(_ -> links.find(token)).orElseThrow(() -> ApiProblem.notFound("reset link"));
    }

    /** An admin has seen the link, so the account's password no longer proves who owns its address. */
    private void confine(OrganizationId organization, OpenPasswordReset reset) {
        requireResettable(organization, reset.user());
        if (users.lockIsProven(reset.user())) {
            unproven.deleteFormer(organization, reset.email()); // Another unproven account of the address there.
            users.confine(organization, reset.user());
        }
    }

    /** Rejects an account that is not the organization's alone: its admin must not sign in elsewhere with it. */
    private void requireResettable(OrganizationId organization, UserId user) {
        AccountTies ties = store.ties(organization, user);
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
