package dev.parley.organization.session;

import dev.parley.db.Database;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;

/** Deletes expired sessions, invitations, password reset links and counts of failed sign-ins. */
@Singleton
final class SessionExpiryJob {
    private final Database database;
    private final Clock clock;

    SessionExpiryJob(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob clearing() {
        return new MaintenanceJob("delete expired sessions", Duration.ofHours(1), this::clear);
    }

    void clear() {
        var now = clock.instant();
        database.with(handle -> handle.execute("DELETE FROM session WHERE expires_at < ?", now));
        database.with(handle -> handle.execute("DELETE FROM invitation WHERE expires_at < ?", now));
        database.with(handle -> handle.execute("DELETE FROM password_reset WHERE expires_at < ?", now));
        database.with(handle -> handle.execute("DELETE FROM sign_in_throttle WHERE forget_at < ?", now));
        database.with(handle -> handle.execute("DELETE FROM used_sign_in WHERE expires_at < ?", now));
    }
}
