package dev.parley.organization.signin;

import dev.parley.db.Database;
import dev.parley.http.access.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.member.InvitationAcceptance;
import dev.parley.organization.passwordreset.PasswordResetStore;
import dev.parley.organization.session.SessionClient;
import dev.parley.organization.session.Sessions;
import dev.parley.organization.session.SignInThrottle;
import dev.parley.organization.session.SignedIn;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.UserStore;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Signs users in: by email and password, or by accepting an invitation. */
@Singleton
final class SignIn {
    private final Database database;
    private final UserStore users;
    private final PasswordHasher passwords;
    private final SignInThrottle throttle;
    private final Sessions sessions;
    private final InvitationAcceptance acceptance;
    private final PasswordResetStore resets;

    SignIn(
            Database database,
            PasswordHasher passwords,
            SignInThrottle throttle,
            Sessions sessions,
            InvitationAcceptance acceptance) {
        this.database = database;
        this.users = database.statements(UserStore.class);
        this.passwords = passwords;
        this.throttle = throttle;
        this.sessions = sessions;
        this.acceptance = acceptance;
        this.resets = database.statements(PasswordResetStore.class);
    }

    /**
     * Starts a session. Wrong email and wrong password get the same 401 after the same time; too many failures get a
     * 429.
     *
     * @param preferred the organization whose account is used if several unproven accounts of the address have this
     *     password
     */
    SignedIn byPassword(String email, String password, Optional<OrganizationId> preferred, SessionClient client) {
        return passwords.onHashingThread(() -> {
            List<UserStore.UserAccount> accounts = users.withPassword(email, preferred);
            UserStore.UserAccount account = authenticated(email, password, accounts, client);
            DashboardUser user = account.user();
            String hash = Objects.requireNonNull(account.passwordHash());
            Optional<String> renewed = passwords.renewed(password, hash);
            return database.transaction(() -> {
                renewed.ifPresent(next -> users.renewHash(user.id(), hash, next));
                return new SignedIn(user, sessions.begin(user.id(), client));
            });
        });
    }

    /**
     * The account with this password. A known device or network of the first account's user has attempts of its own at
     * that account, and none at others of the same address.
     */
    private UserStore.UserAccount authenticated(
            String email, String password, List<UserStore.UserAccount> accounts, SessionClient client) {
        Optional<SignInThrottle.KnownSource> source = accounts.stream()
                .findFirst()
                .flatMap(first -> throttle.knownSource(first.user().id(), client));
        if (source.isPresent()) {
            UserStore.UserAccount first = accounts.getFirst();
            throttle.attempt(source.get(), client.address());
            if (passwords.matches(password, first.passwordHash())) {
                throttle.succeeded(source.get(), client.address());
                return first;
            }
            if (accounts.size() == 1) {
                throw wrongPassword();
            }
        }
        throttle.attempt(email, client.address());
        UserStore.UserAccount account = matching(
                        accounts.subList(source.isPresent() ? 1 : 0, accounts.size()), password)
                .orElseThrow(SignIn::wrongPassword);
        throttle.succeeded(email, client.address(), accounts.size() == 1);
        source.ifPresent(known -> throttle.uncount(known, client.address()));
        return account;
    }

    private static ApiProblem wrongPassword() {
        return ApiProblem.of(ProblemKind.WRONG_CREDENTIALS, "Email or password is wrong.");
    }

    /** The first account with this password. Takes equally long without any account. */
    private Optional<UserStore.UserAccount> matching(List<UserStore.UserAccount> accounts, String password) {
        if (accounts.isEmpty()) {
            passwords.matches(password, null);
        }
        return accounts.stream()
                .filter(account -> passwords.matches(password, account.passwordHash()))
                .findFirst();
    }

    /**
     * Changes the password (400 if the current one is wrong, 429 after too many attempts), and ends the user's other
     * sessions and reset links. Of the known devices and networks, only the client's stay known.
     */
    void changePassword(DashboardUser user, String current, String next, String session, SessionClient client) {
        passwords.onHashingThread(() -> {
            throttle.attempt(user.id());
            Optional<UserStore.UserAccount> account = users.account(user.id());
            if (!passwords.matches(
                    current, account.map(UserStore.UserAccount::passwordHash).orElse(null))) {
                throw ApiProblem.invalid(Violation.invalid(
                        ViolationCode.MISMATCH, "/current_password", "The current password is wrong."));
            }
            throttle.succeeded(user.id());
            return account;
        });
        String hash = passwords.hash(next);
        database.change(_ -> {
            users.changePassword(user.id(), hash);
            sessions.endOthers(user.id(), session);
            resets.deleteAll(user.id());
            throttle.remember(user.id(), client);
        });
    }

    /**
     * Sets the invited person's password and starts a session; an invitation is valid once. Rejected (409) if the
     * address has an account.
     */
    SignedIn byInvitation(String token, String password, SessionClient client) {
        acceptance.requireNoAccount(acceptance.find(token));
        String hash = passwords.hash(password);
        return database.transaction(() -> {
            UserId user = acceptance.byPassword(token, hash);
            return new SignedIn(users.account(user).orElseThrow().user(), sessions.begin(user, client));
        });
    }
}
