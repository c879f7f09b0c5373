package dev.parley.organization.signin;

import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.organization.Organizations;
import dev.parley.organization.session.TestSignIn;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.settings.Settings;
import java.time.Clock;

/** The first run for tests of other packages. */
public final class TestFirstRun {
    private TestFirstRun() {}

    public static FirstUserSetup of(Database database, PasswordHasher passwords, Settings settings) {
        Clock clock = Clock.systemUTC();
        var secret = new MasterKey(settings.storage(), database);
        return new FirstUserSetup(
                database,
                passwords,
                new Organizations(database, clock, settings.quotas()),
                TestSignIn.sessions(database, secret, clock),
                secret,
                clock);
    }
}
