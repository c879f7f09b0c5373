package dev.parley.organization.user;

import dev.parley.http.access.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.mail.MailAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code app_user}. An address has at most one proven account; an unproven account belongs to the
 * organization that created it, so an address may have one per organization. Addresses are compared in lower case.
 */
public interface UserStore {
    int MAX_EMAIL_LENGTH = MailAddress.MAX_LENGTH;

    /** Matches all addresses, and others that {@link #isEmail} rejects. */
    String EMAIL_PATTERN = "^\\s*[^@\\s]+@[^@\\s]+\\s*$";

    String INVALID_EMAIL =
            "'/email' must be an email address such as ada@acme.example, without a name, brackets or quotes.";

    String COLUMNS = "u.id, u.email, u.name, u.operator, u.proven_at IS NOT NULL AS email_proven";

    String ACCOUNT = "SELECT " + COLUMNS + ", u.password_hash FROM app_user u WHERE ";

    String TICKET_EMAILS = "email_new_tickets AS new_tickets, email_changes AS changes, email_comments AS comments,"
            + " email_reminders AS reminders";

    /**
     * A user and the password hash.
     *
     * @param passwordHash null if the user has not accepted an invitation yet
     */
    record UserAccount(@Nested DashboardUser user, @Nullable String passwordHash) {}

    /** An account of an organization with an unproven address. */
    record UnprovenAccount(UserId id, OrganizationId organization) {}

    /**
     * An account that can get a link for a new password.
     *
     * @param organization the name of the organization that an unproven account belongs to; null for a proven one
     */
    record ResettableAccount(UserId user, @Nullable String organization) {}

    /** Whether the installation has no user yet. */
    @SqlQuery("SELECT NOT EXISTS (SELECT FROM app_user)")
    boolean areNone();

    /** Takes an advisory lock until the transaction ends. */
    @SqlUpdate("SELECT pg_advisory_xact_lock(:key)")
    void lock(long key);

    /** Takes an advisory lock of an address until the transaction ends. */
    @SqlUpdate("SELECT pg_advisory_xact_lock(:space, hashtext(:email))")
    void lock(int space, @NormalizedEmail String email);

    /** Locks the organizations that invited the address, and an additional one, in a fixed order. */
    @SqlQuery("""
            SELECT id FROM organization
            WHERE id = :additional::uuid OR id IN (
                SELECT organization_id FROM app_user WHERE email = :email AND proven_at IS NULL)
            ORDER BY id FOR NO KEY UPDATE""")
    List<OrganizationId> lockOrganizations(@NormalizedEmail String email, Optional<OrganizationId> additional);

    /**
     * Creates an account with a proven address; the caller has verified the address.
     *
     * @return empty if the address has a proven account
     */
    @SqlQuery("""
            INSERT INTO app_user (id, email, name, operator, password_hash, created_at, proven_at)
            VALUES (:user, :email, :name, :operator, :passwordHash, :now, :now)
            ON CONFLICT (email) WHERE proven_at IS NOT NULL DO NOTHING
            RETURNING id""")
    Optional<UserId> create(
            UserId user,
            @NormalizedEmail String email,
            String name,
            boolean operator,
            @Nullable String passwordHash,
            Instant now);

    /** Creates an account that belongs to one organization; nobody can sign in by it before it gets a password. */
    @SqlUpdate("""
            INSERT INTO app_user (id, email, name, operator, created_at, organization_id)
            VALUES (:user, :email, :name, false, :now, :organization)""")
    void createUnproven(
            OrganizationId organization, UserId user, @NormalizedEmail String email, String name, Instant now);

    /** Renames an invited person; ignores a proven account, whose name is its owner's. */
    @SqlUpdate("UPDATE app_user SET name = :name WHERE id = :user AND proven_at IS NULL")
    void renameUnproven(UserId user, String name);

    @SqlUpdate("UPDATE app_user SET name = :name WHERE id = :user")
    void rename(UserId user, String name);

    /** Turns an unproven account that nobody has used yet into the proven one of its address. */
    @SqlUpdate("""
            UPDATE app_user SET proven_at = :now, organization_id = NULL WHERE id = :user AND password_hash IS NULL""")
    void prove(UserId user, Instant now);

    /** Whether the account is proven; locks it. */
    @SqlQuery("SELECT proven_at IS NOT NULL FROM app_user WHERE id = :user FOR UPDATE")
    boolean lockIsProven(UserId user);

    /** Makes a proven account an unproven one of its only organization. */
    @SqlUpdate("UPDATE app_user SET proven_at = NULL, organization_id = :organization WHERE id = :user")
    void confine(OrganizationId organization, UserId user);

    /** The account that proved the address. */
    @SqlQuery("SELECT id FROM app_user WHERE email = :email AND proven_at IS NOT NULL")
    Optional<UserId> proven(@NormalizedEmail String email);

    /**
     * The accounts of an address that have a password: a proven one, or unproven ones of several organizations. The
     * preferred organization's comes first, then the newest that is still a member.
     */
    @SqlQuery(ACCOUNT + """
            u.email = :email AND u.password_hash IS NOT NULL
            ORDER BY u.organization_id IS NOT DISTINCT FROM :preferred::uuid DESC,
                EXISTS (SELECT FROM membership m JOIN organization o ON o.id = m.organization_id
                    WHERE m.user_id = u.id AND o.deleted_at IS NULL) DESC,
                u.id DESC""")
    List<UserAccount> withPassword(@NormalizedEmail String email, Optional<OrganizationId> preferred);

    @SqlQuery(ACCOUNT + "u.id = :user")
    Optional<UserAccount> account(UserId user);

    /** Empty without a password. */
    @SqlQuery("SELECT coalesce((SELECT password_hash FROM app_user WHERE id = :user), '')")
    String passwordHash(UserId user);

    @SqlUpdate("UPDATE app_user SET password_hash = :hash WHERE id = :user")
    void changePassword(UserId user, String hash);

    /** Stores another hash of the same password, unless the password was changed in between. */
    @SqlUpdate("UPDATE app_user SET password_hash = :renewed WHERE id = :user AND password_hash = :before")
    void renewHash(UserId user, String before, String renewed);

    /** Whether an existing organization has invited the address. */
    @SqlQuery("""
            SELECT EXISTS (SELECT FROM app_user u JOIN organization o ON o.id = u.organization_id
            WHERE u.email = :email AND u.proven_at IS NULL AND o.deleted_at IS NULL)""")
    boolean isInvited(@NormalizedEmail String email);

    /** The account that represents the organization's open invitation. */
    @SqlQuery("""
            SELECT id FROM app_user WHERE email = :email AND organization_id = :organization
              AND proven_at IS NULL AND password_hash IS NULL""")
    Optional<UserId> invited(OrganizationId organization, @NormalizedEmail String email);

    /** The unproven accounts of an address that have a password. */
    @SqlQuery("""
            SELECT id, organization_id AS organization FROM app_user
            WHERE email = :email AND proven_at IS NULL AND password_hash IS NOT NULL
            ORDER BY id""")
    List<UnprovenAccount> usedUnproven(@NormalizedEmail String email);

    /** Whether the organization removed an account of the address that had been used. */
    @SqlQuery("""
            SELECT EXISTS (SELECT FROM app_user u
            WHERE u.email = :email AND u.organization_id = :organization
              AND NOT EXISTS (SELECT FROM membership m WHERE m.user_id = u.id))""")
    boolean wasRemoved(OrganizationId organization, @NormalizedEmail String email);

    /** The accounts of an address that belong to the organization. */
    @SqlQuery("SELECT id FROM app_user WHERE email = :email AND organization_id = :organization")
    List<UserId> ofOrganization(OrganizationId organization, @NormalizedEmail String email);

    /** Locks an unproven account; empty if it is proven. */
    @SqlQuery("SELECT id FROM app_user WHERE id = :user AND proven_at IS NULL FOR UPDATE")
    Optional<UserId> lockUnproven(UserId user);

    @SqlUpdate("DELETE FROM app_user WHERE id = :user")
    void delete(UserId user);

    /** The accounts of an address, without those of people who have not accepted their invitation. */
    @SqlQuery("""
            SELECT u.id AS "user", o.name AS organization
            FROM app_user u LEFT JOIN organization o ON o.id = u.organization_id
            WHERE u.email = :email AND (u.proven_at IS NOT NULL OR u.password_hash IS NOT NULL)
            ORDER BY u.id""")
    List<ResettableAccount> resettable(@NormalizedEmail String email);

    @SqlQuery("SELECT " + TICKET_EMAILS + " FROM app_user WHERE id = :user")
    TicketEmails ticketEmails(UserId user);

    @SqlQuery("""
            UPDATE app_user SET
                email_new_tickets = coalesce(:newTickets, email_new_tickets),
                email_changes = coalesce(:changes, email_changes),
                email_comments = coalesce(:comments, email_comments),
                email_reminders = coalesce(:reminders, email_reminders)
            WHERE id = :user RETURNING\s""" + TICKET_EMAILS)
    TicketEmails changeTicketEmails(UserId user, @BindMethods TicketEmailsChange change);

    static boolean isEmail(String text) {
        return MailAddress.parse(text).isPresent();
    }

    /** An address as it is stored, compared and written to. */
    static String normalized(String email) {
        return MailAddress.normalized(email);
    }
}
