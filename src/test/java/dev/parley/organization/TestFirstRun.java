package dev.parley.organization;

import dev.parley.Settings;
import dev.parley.db.Database;
import dev.parley.db.Secret;
import java.time.Clock;

/** The first run for tests of other packages. */
public final class TestFirstRun {
    private TestFirstRun() {}

    public static FirstRun of(Database database, Users users, Passwords passwords, Settings settings) {
        Clock clock = Clock.systemUTC();
        var secret = new Secret(settings, database);
        return new FirstRun(
                database,
                users,
                passwords,
                new OrganizationStore(database, clock, settings),
                new Sessions(database, secret, clock),
                secret);
    }
}
