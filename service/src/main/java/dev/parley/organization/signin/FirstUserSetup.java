package dev.parley.organization.signin;

import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.http.access.DashboardUser;
import dev.parley.id.UserId;
import dev.parley.organization.Organizations;
import dev.parley.organization.session.RandomTokens;
import dev.parley.organization.session.SessionClient;
import dev.parley.organization.session.Sessions;
import dev.parley.organization.session.SignedIn;
import dev.parley.organization.signin.SessionResource.FirstUserRequest;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.UserStore;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
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
    private final Sessions sessions;
    private final String token;
    private final Clock clock;

    public FirstUserSetup(
            Database database,
            PasswordHasher passwords,
            Organizations organizations,
            Sessions sessions,
            MasterKey masterKey,
            Clock clock) {
        this.database = database;
        this.users = database.statements(UserStore.class);
        this.passwords = passwords;
        this.organizations = organizations;
        this.sessions = sessions;
        this.token = Base64.getUrlEncoder().withoutPadding().encodeToString(masterKey.key("first-run"));
        this.clock = clock;
    }

    /** Creates the configured operator if there is no user; concurrent starts create one. */
    void start(@Observes StartupEvent started, Settings.FirstStart settings) {
        settings.firstUser().ifPresent(first -> {
            if (!UserStore.isEmail(first.email())) {
                throw new SettingsException(Setting.PARLEY_ADMIN_EMAIL, "must be an email address.");
            }
            String password = first.password();
            int length = password.codePointCount(0, password.length());
            if (length < PasswordHasher.MIN_LENGTH || length > PasswordHasher.MAX_LENGTH) {
                throw new SettingsException(
                        Setting.PARLEY_ADMIN_PASSWORD,
                        "must have " + PasswordHasher.MIN_LENGTH + " to " + PasswordHasher.MAX_LENGTH + " characters.");
            }
            if (users.areNone()) {
                var _ = createOperator(first.email(), first.email(), passwords.hash(password));
            }
        });
    }

    private Optional<UserId> createOperator(String email, String name, String passwordHash) {
        return users.create(UserId.next(), email, name, true, passwordHash, clock.instant());
    }

    /** The token while there is no user; the same on every node. */
    public Optional<String> token() {
        return users.areNone() ? Optional.of(token) : Optional.empty();
    }

    boolean isNeeded() {
        return users.areNone();
    }

    boolean isValid(String candidate) {
        return RandomTokens.isEqual(token, candidate);
    }

    /** Creates the first user, an operator, with an organization, and signs the user in. */
    SignedIn setUp(FirstUserRequest requested, SessionClient client) {
        if (!isValid(requested.token())) {
            throw ApiProblem.of(ProblemKind.FORBIDDEN, "The token is not the one on the service's terminal.");
        }
        if (!isNeeded()) {
            throw done();
        }
        String hash = passwords.hash(requested.password());
        return database.transaction(() -> {
            users.lock(LOCK);
            if (!isNeeded()) {
                throw done();
            }
            UserId id =
                    createOperator(requested.email(), requested.name(), hash).orElseThrow();
            organizations.create(requested.organization(), id);
            var user = new DashboardUser(id, UserStore.normalized(requested.email()), requested.name(), true, true);
            return new SignedIn(user, sessions.begin(id, client));
        });
    }

    private static ApiProblem done() {
        return ApiProblem.of(ProblemKind.ALREADY_DONE, "The installation is set up already: sign in.");
    }
}
