package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.http.DashboardUser;
import dev.parley.id.UserId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;

/**
 * Creates the first user and organization of an installation without any. Requires a token that is printed on the
 * terminal; otherwise the first visitor of a fresh installation would own it.
 */
@Singleton
public final class FirstUserSetup {
    /** An arbitrary number; of two concurrent set-ups, the second finds that it is done. */
    private static final long LOCK = 0x7061726c65790002L;

    private final Database database;
    private final UserStore users;
    private final PasswordHasher passwords;
    private final Organizations organizations;
    private final SessionStore sessions;
    private final String token;

    public FirstUserSetup(
            Database database,
            UserStore users,
            PasswordHasher passwords,
            Organizations organizations,
            SessionStore sessions,
            MasterKey secret) {
        this.database = database;
        this.users = users;
        this.passwords = passwords;
        this.organizations = organizations;
        this.sessions = sessions;
        this.token = Base64.getUrlEncoder().withoutPadding().encodeToString(secret.key("first-run"));
    }

    /** The first user's input. */
    record FirstOrganization(String email, String name, String password, String organization) {
        @Override
        public String toString() {
            return "Wanted[" + email + "]";
        }
    }

    /** The token while there is no user; the same on every node. */
    public Optional<String> token() {
        return users.areNone() ? Optional.of(token) : Optional.empty();
    }

    boolean isNeeded() {
        return users.areNone();
    }

    boolean isValid(String candidate) {
        return MessageDigest.isEqual(
                candidate.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /** Creates the first user, an operator, with an organization, and signs the user in. */
    SignIn.SignedIn setUp(String candidate, FirstOrganization requested, SessionClient client) {
        if (!isValid(candidate)) {
            throw ApiProblem.of(ProblemKind.FORBIDDEN, "The token is not the one on the service's terminal.");
        }
        if (!isNeeded()) {
            throw done();
        }
        String hash = passwords.hash(requested.password());
        return database.transaction(handle -> {
            handle.execute("SELECT pg_advisory_xact_lock(?)", LOCK);
            if (!UserStore.areNone(handle)) {
                throw done();
            }
            UserId user = users.create(handle, requested.email(), requested.name(), hash, true)
                    .orElseThrow();
            organizations.create(requested.organization(), user);
            var person = new DashboardUser(user, UserStore.normalized(requested.email()), requested.name(), true, true);
            return new SignIn.SignedIn(person, sessions.begin(handle, user, client));
        });
    }

    private static ApiProblem done() {
        return ApiProblem.of(ProblemKind.CONFLICT, "The installation is set up already: sign in.");
    }
}
