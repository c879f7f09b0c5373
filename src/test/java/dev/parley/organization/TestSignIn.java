package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.http.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import java.time.Clock;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Sign-in components for tests of other packages. */
public final class TestSignIn {
    private TestSignIn() {}

    public static SessionStore sessions(Database database, MasterKey secret, Clock clock) {
        return new SessionStore(database, throttle(database, secret, clock), secret, clock);
    }

    public static SignInThrottle throttle(Database database, MasterKey secret, Clock clock) {
        return new SignInThrottle(database, new KnownDevices(database, secret, clock), secret, clock);
    }

    public static boolean isKnown(SignInThrottle throttle, UserId user, SessionClient client) {
        return throttle.knownSource(user, client).isPresent();
    }

    public static UnprovenAccounts unproven(MembershipAudit audit) {
        return new UnprovenAccounts(audit);
    }

    /** An account created by an organization for an address; with a password, it has been used. */
    public static UserId unprovenAccount(
            Handle handle, UserStore users, OrganizationId organization, String email, @Nullable String passwordHash) {
        UserId user = users.createUnproven(handle, organization, email, "TestUser");
        if (passwordHash != null) {
            users.changePassword(handle, user, passwordHash);
        }
        handle.execute(
                "INSERT INTO membership (organization_id, user_id, role, created_at) VALUES (?, ?, 'admin', now())",
                organization.value(),
                user.value());
        return user;
    }

    public static Optional<DashboardUser> person(SessionStore sessions, String token) {
        return sessions.person(token);
    }

    public static void close(PasswordHasher passwords) {
        passwords.close();
    }
}
