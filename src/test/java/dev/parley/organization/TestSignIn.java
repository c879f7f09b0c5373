package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.db.Secret;
import dev.parley.http.Person;
import java.time.Clock;
import java.util.Optional;

/** What signs people in, for tests of other packages. */
public final class TestSignIn {
    private TestSignIn() {}

    public static Sessions sessions(Database database, Secret secret, Clock clock) {
        return new Sessions(database, secret, clock);
    }

    public static SignInThrottle throttle(Database database, Secret secret, Clock clock) {
        return new SignInThrottle(database, secret, clock);
    }

    public static Optional<Person> person(Sessions sessions, String token) {
        return sessions.person(token);
    }

    public static void close(Passwords passwords) {
        passwords.close();
    }
}
