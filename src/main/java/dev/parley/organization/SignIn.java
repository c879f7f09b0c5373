package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.http.Person;
import dev.parley.problem.Fault;
import dev.parley.problem.Problem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Signs people in: by e-mail and password, or by accepting an invitation. */
@Singleton
final class SignIn {
    private final Database database;
    private final Users users;
    private final Passwords passwords;
    private final SignInThrottle throttle;
    private final Sessions sessions;
    private final Invitations invitations;

    /** A session that just began; its token goes into the cookie and nowhere else. */
    record SignedIn(Person person, String token) {
        @Override
        public String toString() {
            return "SignedIn[" + person.id() + "]";
        }
    }

    SignIn(
            Database database,
            Users users,
            Passwords passwords,
            SignInThrottle throttle,
            Sessions sessions,
            Invitations invitations) {
        this.database = database;
        this.users = users;
        this.passwords = passwords;
        this.throttle = throttle;
        this.sessions = sessions;
        this.invitations = invitations;
    }

    /**
     * Begins a session, or refuses with the same answer after the same time whether the account or the password is
     * wrong (401), or when there were too many failures (429).
     */
    SignedIn byPassword(String email, String password, String address) {
        return passwords.inTurn(() -> {
            throttle.attempt(email, address);
            Optional<Users.Account> account = database.with(handle -> users.find(handle, email));
            String hash = account.map(Users.Account::passwordHash).orElse(null);
            boolean right = passwords.matches(password, hash);
            if (account.isEmpty() || hash == null || !right) {
                throw Problem.of(ProblemKind.NOT_SIGNED_IN, "E-mail or password is wrong.");
            }
            throttle.succeeded(email, address);
            Person person = account.get().person();
            Optional<String> renewed = passwords.renewed(password, hash);
            return database.transaction(handle -> {
                renewed.ifPresent(next -> users.renewHash(handle, person.id(), hash, next));
                return new SignedIn(person, sessions.begin(handle, person.id()));
            });
        });
    }

    /**
     * Sets another password for who knows the present one (400 for who does not, 429 after too many tries), and ends
     * the person's other sessions: whoever else had the old password is out.
     */
    void changePassword(Person person, String current, String next, String session, String address) {
        passwords.inTurn(() -> {
            throttle.attempt(person.email(), address);
            Optional<Users.Account> account = database.with(handle -> users.find(handle, person.email()));
            if (!passwords.matches(
                    current, account.map(Users.Account::passwordHash).orElse(null))) {
                throw Problem.invalid(Fault.invalid("/current_password", "'/current_password' is wrong."));
            }
            throttle.succeeded(person.email(), address);
            return account;
        });
        String hash = passwords.hash(next);
        database.transaction(handle -> {
            users.changePassword(handle, person.id(), hash);
            sessions.endOthers(handle, person.id(), session);
            return person;
        });
    }

    /** Sets the invited person's password and begins a session; an invitation is good once. */
    SignedIn byInvitation(String token, String password) {
        if (!invitations.isOpen(token)) {
            throw Problem.notFound("invitation");
        }
        String hash = passwords.hash(password);
        return database.transaction(handle -> {
            Person person = invitations.accept(handle, token, hash).orElseThrow(() -> Problem.notFound("invitation"));
            return new SignedIn(person, sessions.begin(handle, person.id()));
        });
    }
}
