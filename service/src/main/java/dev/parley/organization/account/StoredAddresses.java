package dev.parley.organization.account;

import dev.parley.db.Database;
import dev.parley.id.UserId;
import dev.parley.organization.MemberStore;
import dev.parley.organization.account.StoredAddressStore.StoredAccount;
import dev.parley.organization.session.SessionStore;
import dev.parley.organization.user.UserStore;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Converts addresses of accounts that earlier releases stored with a domain in Unicode to the form in which
 * {@link UserStore#normalized} compares them (docs/decisions/0112). SQL cannot, so every start does. Accounts that were
 * created for the converted address in the meantime are merged, because an address has one proven account, and an
 * organization one member of an address.
 */
@Singleton
final class StoredAddresses {
    private static final Logger LOG = Logger.getLogger(StoredAddresses.class);

    private final Database database;
    private final StoredAddressStore store;
    private final UserStore users;
    private final MemberStore members;
    private final SessionStore sessions;
    private final UnprovenAccounts unproven;

    StoredAddresses(Database database, UnprovenAccounts unproven) {
        this.database = database;
        this.store = database.statements(StoredAddressStore.class);
        this.users = database.statements(UserStore.class);
        this.members = database.statements(MemberStore.class);
        this.sessions = database.statements(SessionStore.class);
        this.unproven = unproven;
    }

    /** Before anything is served. */
    void start(@Observes @Priority(1) StartupEvent event) {
        convert();
    }

    /** Converts proven accounts first, so that they absorb unproven ones. */
    void convert() {
        long converted = store.unconverted().stream()
                .filter(id -> database.<Boolean>transaction(() -> convert(id)))
                .count();
        if (converted > 0) {
            LOG.infof("Converted the domains in the email addresses of %d accounts to ASCII", converted);
        }
    }

    private boolean convert(UserId id) {
        Optional<StoredAccount> found = store.find(id);
        found.ifPresent(account -> unproven.lock(account.email(), account.organization()));
        // Another node may have been first.
        Optional<StoredAccount> locked = found.flatMap(_ -> store.find(id));
        String address =
                locked.map(account -> UserStore.normalized(account.email())).orElse("");
        if (locked.isEmpty() || address.equals(locked.get().email())) {
            return false;
        }
        StoredAccount account = locked.get();
        for (StoredAccount other : store.others(account, address)) {
            if (other.proven() && account.proven() && account.hasIdentity()) {
                LOG.warnf("The users %s and %s have the same email address, and sign in separately", id, other.id());
                return false;
            }
            if (other.proven() && !account.proven()) {
                merge(account.id(), other.id());
                return true;
            }
            merge(other.id(), account.id());
        }
        store.changeEmail(id, address);
        return true;
    }

    /** Gives an account what another one has, and deletes the other one. */
    private void merge(UserId from, UserId to) {
        store.raiseRoles(from, to);
        store.copyMemberships(from, to);
        store.copyTeams(from, to);
        store.moveIdentities(from, to);
        store.mergeAccount(from, to);
        sessions.endAll(from);
        members.deleteAll(from);
        users.delete(from);
    }
}
