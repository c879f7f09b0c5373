package dev.parley.organization;

import dev.parley.Setting;
import dev.parley.Settings;
import dev.parley.SettingsException;
import dev.parley.db.Database;
import dev.parley.http.Person;
import dev.parley.id.UserId;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The people of the installation: the table {@code app_user}. E-mail addresses are compared in lower case. */
@Singleton
public final class Users {
    public static final int LONGEST_EMAIL = 254;

    private static final Pattern EMAIL = Pattern.compile("[^\\s@\\p{Cntrl}]+@[^\\s@\\p{Cntrl}]+");

    private final Database database;
    private final Passwords passwords;
    private final Clock clock;

    /**
     * A person and what the password is checked by.
     *
     * @param passwordHash null when the person has not yet accepted an invitation
     */
    record Account(Person person, @Nullable String passwordHash) {}

    public Users(Database database, Passwords passwords, Clock clock) {
        this.database = database;
        this.passwords = passwords;
        this.clock = clock;
    }

    /** Makes the operator that the settings name when there is no user at all; nodes that start together make one. */
    void first(@Observes StartupEvent started, Settings settings) {
        settings.firstUser().ifPresent(first -> {
            if (!isEmail(first.email())) {
                throw new SettingsException(Setting.PARLEY_ADMIN_EMAIL, "must be an e-mail address.");
            }
            String password = first.password();
            int length = password.codePointCount(0, password.length());
            if (length < Passwords.LEAST || length > Passwords.MOST) {
                throw new SettingsException(
                        Setting.PARLEY_ADMIN_PASSWORD,
                        "must have " + Passwords.LEAST + " to " + Passwords.MOST + " characters.");
            }
            if (areNone()) {
                create(first.email(), first.email(), Optional.of(password), true);
            }
        });
    }

    /** Whether the installation has no user yet. */
    public boolean areNone() {
        return database.with(Users::areNone);
    }

    /** The same within a transaction. */
    public static boolean areNone(Handle handle) {
        return handle.createQuery("SELECT NOT EXISTS (SELECT FROM app_user)")
                .mapTo(Boolean.class)
                .one();
    }

    /**
     * Makes a user; without a password one who cannot sign in before an invitation is accepted.
     *
     * @return empty when the e-mail address is taken
     */
    public Optional<UserId> create(String email, String name, Optional<String> password, boolean operator) {
        Optional<String> hash = password.map(passwords::hash);
        return database.transaction(handle -> create(handle, email, name, hash.orElse(null), operator));
    }

    /** The same within a transaction, for which the password was hashed before. */
    public Optional<UserId> create(
            Handle handle, String email, String name, @Nullable String passwordHash, boolean operator) {
        UserId id = UserId.next();
        int made = handle.createUpdate("""
                        INSERT INTO app_user (id, email, name, operator, password_hash, created_at)
                        VALUES (:id, :email, :name, :operator, :hash, :now) ON CONFLICT (email) DO NOTHING""")
                .bind("id", id)
                .bind("email", normalized(email))
                .bind("name", name)
                .bind("operator", operator)
                .bind("hash", passwordHash)
                .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                .execute();
        return made == 0 ? Optional.empty() : Optional.of(id);
    }

    Optional<Account> find(Handle handle, String email) {
        return handle.createQuery("SELECT id, email, name, operator, password_hash FROM app_user WHERE email = :email")
                .bind("email", normalized(email))
                .map((row, _) -> new Account(
                        new Person(
                                new UserId(row.getObject("id", UUID.class)),
                                row.getString("email"),
                                row.getString("name"),
                                row.getBoolean("operator")),
                        row.getString("password_hash")))
                .findOne();
    }

    /** Gives a user another password. */
    public void changePassword(Handle handle, UserId user, String passwordHash) {
        handle.createUpdate("UPDATE app_user SET password_hash = :hash WHERE id = :id")
                .bind("hash", passwordHash)
                .bind("id", user)
                .execute();
    }

    /** Keeps another hash of the same password, unless the password was changed in between. */
    void renewHash(Handle handle, UserId user, String before, String renewed) {
        handle.createUpdate("UPDATE app_user SET password_hash = :renewed WHERE id = :id AND password_hash = :before")
                .bind("renewed", renewed)
                .bind("id", user)
                .bind("before", before)
                .execute();
    }

    void rename(UserId user, String name) {
        database.change(handle -> handle.createUpdate("UPDATE app_user SET name = :name WHERE id = :id")
                .bind("name", name)
                .bind("id", user)
                .execute());
    }

    public static boolean isEmail(String text) {
        return text.length() <= LONGEST_EMAIL && EMAIL.matcher(text).matches();
    }

    public static String normalized(String email) {
        return email.strip().toLowerCase(Locale.ROOT);
    }
}
