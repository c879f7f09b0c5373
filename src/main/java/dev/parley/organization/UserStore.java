package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.http.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.mail.MailAddress;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code app_user}. An address has at most one proven account; an unproven account belongs to the
 * organization that created it, so an address may have one per organization. Addresses are compared in lower case.
 */
@Singleton
public final class UserStore {
    public static final int MAX_EMAIL_LENGTH = MailAddress.MAX_LENGTH;

    /** Matches all addresses, and others that {@link #isEmail} rejects. */
    static final String EMAIL_PATTERN = "^\\s*[^@\\s]+@[^@\\s]+\\s*$";

    static final String INVALID_EMAIL =
            "'/email' must be an email address such as ada@acme.example, without a name, brackets or quotes.";

    static final String COLUMNS = "u.id, u.email, u.name, u.operator, u.proven_at IS NOT NULL AS email_proven";

    private final Database database;
    private final PasswordHasher passwords;
    private final Clock clock;

    /**
     * A user and the password hash.
     *
     * @param passwordHash null if the user has not accepted an invitation yet
     */
    record UserAccount(
            @Nested DashboardUser person, @Nullable String passwordHash) {}

    public UserStore(Database database, PasswordHasher passwords, Clock clock) {
        this.database = database;
        this.passwords = passwords;
        this.clock = clock;
    }

    /** Creates the configured operator if there is no user; concurrent starts create one. */
    void first(@Observes StartupEvent started, Settings.FirstStart settings) {
        settings.firstUser().ifPresent(first -> {
            if (!isEmail(first.email())) {
                throw new SettingsException(Setting.PARLEY_ADMIN_EMAIL, "must be an email address.");
            }
            String password = first.password();
            int length = password.codePointCount(0, password.length());
            if (length < PasswordHasher.MIN_LENGTH || length > PasswordHasher.MAX_LENGTH) {
                throw new SettingsException(
                        Setting.PARLEY_ADMIN_PASSWORD,
                        "must have " + PasswordHasher.MIN_LENGTH + " to " + PasswordHasher.MAX_LENGTH + " characters.");
            }
            if (areNone()) {
                create(first.email(), first.email(), Optional.of(password), true);
            }
        });
    }

    /** Whether the installation has no user yet. */
    public boolean areNone() {
        return database.with(UserStore::areNone);
    }

    /** Same within a transaction. */
    public static boolean areNone(Handle handle) {
        return handle.createQuery("SELECT NOT EXISTS (SELECT FROM app_user)")
                .mapTo(Boolean.class)
                .one();
    }

    /**
     * Creates an account with a proven address; the caller has verified the address.
     *
     * @return empty if the address has a proven account
     */
    public Optional<UserId> create(String email, String name, Optional<String> password, boolean operator) {
        Optional<String> hash = password.map(passwords::hash);
        return database.transaction(handle -> create(handle, email, name, hash.orElse(null), operator));
    }

    /** The same within a transaction, for which the password was hashed before. */
    public Optional<UserId> create(
            Handle handle, String email, String name, @Nullable String passwordHash, boolean operator) {
        UserId id = UserId.next();
        int inserted = handle.createUpdate("""
                        INSERT INTO app_user (id, email, name, operator, password_hash, created_at, proven_at)
                        VALUES (:id, :email, :name, :operator, :hash, :now, :now)
                        ON CONFLICT (email) WHERE proven_at IS NOT NULL DO NOTHING""")
                .bind("id", id)
                .bind("email", normalized(email))
                .bind("name", name)
                .bind("operator", operator)
                .bind("hash", passwordHash)
                .bind("now", clock.instant())
                .execute();
        return inserted == 0 ? Optional.empty() : Optional.of(id);
    }

    /** Creates an account that belongs to one organization; nobody can sign in by it before it gets a password. */
    UserId createUnproven(Handle handle, OrganizationId organization, String email, String name) {
        UserId id = UserId.next();
        handle.createUpdate("""
                        INSERT INTO app_user (id, email, name, operator, created_at, organization_id)
                        VALUES (:id, :email, :name, false, :now, :organization)""")
                .bind("id", id)
                .bind("email", normalized(email))
                .bind("name", name)
                .bind("now", clock.instant())
                .bind("organization", organization)
                .execute();
        return id;
    }

    /** Renames an invited person; ignores a proven account, whose name is its owner's. */
    void renameUnproven(Handle handle, UserId user, String name) {
        handle.createUpdate("UPDATE app_user SET name = :name WHERE id = :id AND proven_at IS NULL")
                .bind("name", name)
                .bind("id", user)
                .execute();
    }

    /** Turns an unproven account that nobody has used yet into the proven one of its address. */
    void prove(Handle handle, UserId user) {
        handle.createUpdate("""
                        UPDATE app_user SET proven_at = :now, organization_id = NULL
                        WHERE id = :id AND password_hash IS NULL""").bind("now", clock.instant()).bind("id", user).execute();
    }

    /** The account that proved the address. */
    public Optional<UserId> proven(Handle handle, String email) {
        return handle.createQuery("SELECT id FROM app_user WHERE email = :email AND proven_at IS NOT NULL")
                .bind("email", normalized(email))
                .mapTo(UserId.class)
                .findOne();
    }

    /**
     * The accounts of an address that have a password: a proven one, or unproven ones of several organizations. The
     * preferred organization's comes first, then the newest that is still a member.
     */
    List<UserAccount> withPassword(Handle handle, String email, Optional<OrganizationId> preferred) {
        return handle.createQuery("""
                        SELECT %s, u.password_hash
                        FROM app_user u
                        WHERE u.email = :email AND u.password_hash IS NOT NULL
                        ORDER BY u.organization_id IS NOT DISTINCT FROM :preferred::uuid DESC,
                            EXISTS (SELECT FROM membership m JOIN organization o ON o.id = m.organization_id
                                WHERE m.user_id = u.id AND o.deleted_at IS NULL) DESC,
                            u.id DESC""".formatted(COLUMNS))
                .bind("email", normalized(email))
                .bind("preferred", preferred)
                .mapTo(UserAccount.class)
                .list();
    }

    Optional<UserAccount> account(Handle handle, UserId id) {
        return handle.createQuery("SELECT %s, u.password_hash FROM app_user u WHERE u.id = :id".formatted(COLUMNS))
                .bind("id", id)
                .mapTo(UserAccount.class)
                .findOne();
    }

    /** Sets an account's password. */
    public void changePassword(Handle handle, UserId user, String passwordHash) {
        handle.createUpdate("UPDATE app_user SET password_hash = :hash WHERE id = :id")
                .bind("hash", passwordHash)
                .bind("id", user)
                .execute();
    }

    /**
     * Makes a proven account an unproven one of its only organization; ignores an unproven one.
     *
     * @param makeRoom deletes another unproven account of the address there
     */
    void confine(Handle handle, UserId user, OrganizationId organization, Runnable makeRoom) {
        boolean isProven = handle.createQuery("SELECT proven_at IS NOT NULL FROM app_user WHERE id = :id FOR UPDATE")
                .bind("id", user)
                .mapTo(Boolean.class)
                .one();
        if (isProven) {
            makeRoom.run();
            handle.createUpdate("UPDATE app_user SET proven_at = NULL, organization_id = :organization WHERE id = :id")
                    .bind("organization", organization)
                    .bind("id", user)
                    .execute();
        }
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

    MyEmailsResource.TicketEmails ticketEmails(UserId user) {
        return database.with(handle -> handle.createQuery("""
                        SELECT email_new_tickets AS new_tickets, email_changes AS changes, email_comments AS comments,
                            email_reminders AS reminders
                        FROM app_user WHERE id = :id""")
                .bind("id", user)
                .mapTo(MyEmailsResource.TicketEmails.class)
                .one());
    }

    MyEmailsResource.TicketEmails changeTicketEmails(UserId user, MyEmailsResource.TicketEmailsChange change) {
        database.change(handle ->
                handle.createUpdate("""
                        UPDATE app_user SET
                            email_new_tickets = coalesce(:newTickets, email_new_tickets),
                            email_changes = coalesce(:changes, email_changes),
                            email_comments = coalesce(:comments, email_comments),
                            email_reminders = coalesce(:reminders, email_reminders)
                        WHERE id = :id""").bindMethods(change).bind("id", user).execute());
        return ticketEmails(user);
    }

    public static boolean isEmail(String text) {
        return MailAddress.parse(text).isPresent();
    }

    /** An address as it is stored, compared and written to. */
    public static String normalized(String email) {
        return MailAddress.normalized(email);
    }
}
