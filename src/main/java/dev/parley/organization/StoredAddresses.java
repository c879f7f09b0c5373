package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jdbi.v3.core.Handle;

/**
 * Converts addresses of accounts that earlier releases stored with a domain in Unicode to the form in which
 * {@link UserStore#normalized} compares them (docs/decisions/0180). SQL cannot, so every start does. Accounts that were
 * created for the converted address in the meantime are merged, because an address has one proven account, and an
 * organization one member of an address.
 */
@Singleton
final class StoredAddresses {
    private static final Logger LOG = Logger.getLogger(StoredAddresses.class);

    private static final String COLUMNS = """
            u.id, u.email, u.proven_at IS NOT NULL AS proven, u.organization_id AS organization,
            EXISTS (SELECT FROM user_identity i WHERE i.user_id = u.id) AS has_identity""";

    private final Database database;
    private final UnprovenAccounts unproven;

    /** @param organization to which an unproven account belongs */
    private record StoredAccount(
            UserId id, String email, boolean proven, boolean hasIdentity, Optional<OrganizationId> organization) {}

    StoredAddresses(Database database, UnprovenAccounts unproven) {
        this.database = database;
        this.unproven = unproven;
    }

    /** Before anything is served. */
    void start(@Observes @Priority(1) StartupEvent event) {
        convert();
    }

    /** Converts proven accounts first, so that they absorb unproven ones. */
    void convert() {
        long converted = database
                .with(handle -> handle.createQuery("""
                                SELECT id FROM app_user WHERE octet_length(email) > length(email)
                                ORDER BY proven_at IS NULL, id""").mapTo(UserId.class).list())
                .stream()
                .filter(id -> database.<Boolean>transaction(handle -> convert(handle, id)))
                .count();
        if (converted > 0) {
            LOG.infof("Converted the domains in the email addresses of %d accounts to ASCII", converted);
        }
    }

    private boolean convert(Handle handle, UserId id) {
        Optional<StoredAccount> found = account(handle, id);
        found.ifPresent(account -> unproven.lock(handle, account.email(), account.organization()));
        // Another node may have been first.
        Optional<StoredAccount> locked = found.flatMap(_ -> account(handle, id));
        String address =
                locked.map(account -> UserStore.normalized(account.email())).orElse("");
        if (locked.isEmpty() || address.equals(locked.get().email())) {
            return false;
        }
        StoredAccount account = locked.get();
        for (StoredAccount other : others(handle, account, address)) {
            if (other.proven() && account.proven() && account.hasIdentity()) {
                LOG.warnf("The users %s and %s have the same email address, and sign in separately", id, other.id());
                return false;
            }
            if (other.proven() && !account.proven()) {
                merge(handle, account.id(), other.id());
                return true;
            }
            merge(handle, other.id(), account.id());
        }
        handle.createUpdate("UPDATE app_user SET email = :email WHERE id = :id")
                .bind("email", address)
                .bind("id", id)
                .execute();
        return true;
    }

    private static Optional<StoredAccount> account(Handle handle, UserId id) {
        return handle.createQuery("SELECT %s FROM app_user u WHERE u.id = :id".formatted(COLUMNS))
                .bind("id", id)
                .mapTo(StoredAccount.class)
                .findOne();
    }

    /** The accounts of the address that cannot exist beside this one, proven ones first. */
    private static List<StoredAccount> others(Handle handle, StoredAccount account, String address) {
        return handle.createQuery("""
                        SELECT %s FROM app_user u
                        WHERE u.email = :address AND (
                            (:proven AND u.proven_at IS NOT NULL)
                            OR u.organization_id = :organization::uuid
                            OR EXISTS (SELECT FROM membership a JOIN membership b USING (organization_id)
                                WHERE a.user_id = u.id AND b.user_id = :id))
                        ORDER BY u.proven_at IS NULL, u.id""".formatted(COLUMNS))
                .bind("address", address)
                .bind("proven", account.proven())
                .bind("organization", account.organization())
                .bind("id", account.id())
                .mapTo(StoredAccount.class)
                .list();
    }

    /**
     * Gives an account what another one has, and deletes the other one. Of two passwords the newer account's stays, with
     * which the user can sign in, unless it is that of an unproven account and the remaining account is proven.
     */
    private static void merge(Handle handle, UserId from, UserId to) {
        for (String statement :
                List.of("""
                UPDATE membership t SET role = f.role FROM membership f, app_user u
                WHERE t.user_id = :to AND f.user_id = :from AND f.organization_id = t.organization_id
                  AND u.id = f.user_id AND (u.password_hash IS NOT NULL OR u.proven_at IS NOT NULL)
                  AND array_position(ARRAY['owner', 'admin', 'member'], f.role)
                    < array_position(ARRAY['owner', 'admin', 'member'], t.role)""", """
                INSERT INTO membership (organization_id, user_id, role, created_at)
                SELECT organization_id, :to, role, created_at FROM membership WHERE user_id = :from
                ON CONFLICT DO NOTHING""", """
                INSERT INTO team_member (organization_id, team_id, user_id)
                SELECT organization_id, team_id, :to FROM team_member WHERE user_id = :from
                ON CONFLICT DO NOTHING""", "UPDATE user_identity SET user_id = :to WHERE user_id = :from", """
                UPDATE app_user t SET operator = t.operator OR f.operator,
                    password_hash = CASE WHEN (f.proven_at IS NULL) = (t.proven_at IS NULL)
                        THEN coalesce(f.password_hash, t.password_hash) ELSE t.password_hash END
                FROM app_user f WHERE t.id = :to AND f.id = :from""")) {
            handle.createUpdate(statement).bind("from", from).bind("to", to).execute();
        }
        handle.execute("DELETE FROM session WHERE user_id = ?", from.value());
        handle.execute("DELETE FROM membership WHERE user_id = ?", from.value());
        handle.execute("DELETE FROM app_user WHERE id = ?", from.value());
    }
}
