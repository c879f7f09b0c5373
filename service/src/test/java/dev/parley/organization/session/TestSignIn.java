package dev.parley.organization.session;

import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.http.access.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.MemberStore;
import dev.parley.organization.Role;
import dev.parley.organization.account.MembershipAudit;
import dev.parley.organization.account.UnprovenAccounts;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.UserStore;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sign-in components for tests of other packages. */
public final class TestSignIn {
    private TestSignIn() {}

    public static Sessions sessions(Database database, MasterKey masterKey, Clock clock) {
        return new Sessions(database, throttle(database, masterKey, clock), masterKey, clock);
    }

    public static SignInThrottle throttle(Database database, MasterKey masterKey, Clock clock) {
        return new SignInThrottle(database, new KnownDevices(database, masterKey, clock), masterKey, clock);
    }

    public static boolean isKnown(SignInThrottle throttle, UserId user, SessionClient client) {
        return throttle.knownSource(user, client).isPresent();
    }

    public static UnprovenAccounts unproven(Database database, MembershipAudit audit, Clock clock) {
        return new UnprovenAccounts(database, audit, clock);
    }

    /** An account created by an organization for an address; with a password, it has been used. */
    public static UserId unprovenAccount(
            Database database, OrganizationId organization, String email, @Nullable String passwordHash) {
        UserId user = UserId.next();
        UserStore users = database.statements(UserStore.class);
        users.createUnproven(organization, user, email, "TestUser", Instant.now());
        if (passwordHash != null) {
            users.changePassword(user, passwordHash);
        }
        database.statements(MemberStore.class).insert(organization, user, Role.ADMIN.text(), Instant.now());
        return user;
    }

    public static Optional<DashboardUser> person(Sessions sessions, String token) {
        return sessions.user(token);
    }

    public static void close(PasswordHasher passwords) {
        passwords.close();
    }
}
