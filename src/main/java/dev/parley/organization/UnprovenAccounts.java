package dev.parley.organization;

import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.MembershipAudit.MembershipChange;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Accounts with an unproven address. Each belongs to the organization that created it. One without a password
 * represents an invited person; one with a password was set up with a token that the inviting admin has seen, and is
 * replaced when the address is proven.
 */
@Singleton
public final class UnprovenAccounts {
    /** Key space of advisory locks; an arbitrary number that no other lock uses. */
    private static final int ADDRESS_LOCK = 0x7061726c;

    private final MembershipAudit audit;

    private record UnprovenAccount(UserId id, OrganizationId organization) {}

    UnprovenAccounts(MembershipAudit audit) {
        this.audit = audit;
    }

    /**
     * Serialises changes to the accounts of one address, and to the members of all organizations concerned, until the
     * transaction ends. Organizations are locked in a fixed order, so two addresses cannot deadlock.
     */
    public void lock(Handle handle, String email, Optional<OrganizationId> additional) {
        handle.createQuery("SELECT pg_advisory_xact_lock(:space, hashtext(:email))")
                .bind("space", ADDRESS_LOCK)
                .bind("email", UserStore.normalized(email))
                .map((_, _) -> true)
                .one();
        handle.createQuery("""
                        SELECT id FROM organization
                        WHERE id = :further::uuid OR id IN (
                            SELECT organization_id FROM app_user WHERE email = :email AND proven_at IS NULL)
                        ORDER BY id FOR NO KEY UPDATE""")
                .bind("email", UserStore.normalized(email))
                .bind("further", additional)
                .mapTo(UUID.class)
                .list();
    }

    /** Whether an existing organization has invited the address. */
    public boolean areKnown(Handle handle, String email) {
        return handle.createQuery("""
                        SELECT EXISTS (SELECT FROM app_user u JOIN organization o ON o.id = u.organization_id
                        WHERE u.email = :email AND u.proven_at IS NULL AND o.deleted_at IS NULL)""")
                .bind("email", UserStore.normalized(email))
                .mapTo(Boolean.class)
                .one();
    }

    /**
     * Deletes the address's accounts that have a password, with their sessions and memberships: their passwords were
     * chosen without proving the address. Open invitations remain, for the proven account to accept.
     */
    public void replaceAll(Handle handle, String email) {
        List<UnprovenAccount> replaced = handle.createQuery("""
                        SELECT id, organization_id AS organization FROM app_user
                        WHERE email = :email AND proven_at IS NULL AND password_hash IS NOT NULL
                        ORDER BY id""")
                .bind("email", UserStore.normalized(email))
                .mapTo(UnprovenAccount.class)
                .list();
        for (UnprovenAccount account : replaced) {
            if (delete(handle, account.id())) {
                audit.record(handle, account.organization(), MembershipChange.REPLACED, account.id(), email);
            }
        }
    }

    /** Whether the organization removed an account of the address that had been used. */
    public boolean wasRemoved(Handle handle, OrganizationId organization, String email) {
        return handle.createQuery("""
                        SELECT EXISTS (SELECT FROM app_user u
                        WHERE u.email = :email AND u.organization_id = :organization
                          AND NOT EXISTS (SELECT FROM membership m WHERE m.user_id = u.id))""")
                .bind("email", UserStore.normalized(email))
                .bind("organization", organization)
                .mapTo(Boolean.class)
                .one();
    }

    /** Deletes the account of a former member, so that a new invitation to the address begins with a new account. */
    void deleteFormer(Handle handle, OrganizationId organization, String email) {
        handle.createQuery("SELECT id FROM app_user WHERE email = :email AND organization_id = :organization")
                .bind("email", UserStore.normalized(email))
                .bind("organization", organization)
                .mapTo(UUID.class)
                .list()
                .forEach(former -> delete(handle, new UserId(former)));
    }

    /**
     * Deletes an account with its membership, sessions and invitation; ignores a proven one.
     *
     * @return whether the account was a member
     */
    boolean delete(Handle handle, UserId user) {
        // The lock prevents a concurrent sign-in from adding a session.
        boolean unproven = handle.createQuery("SELECT id FROM app_user WHERE id = :id AND proven_at IS NULL FOR UPDATE")
                .bind("id", user)
                .mapTo(UUID.class)
                .findOne()
                .isPresent();
        if (!unproven) {
            return false;
        }
        handle.execute("DELETE FROM session WHERE user_id = ?", user.value());
        int memberships = handle.execute("DELETE FROM membership WHERE user_id = ?", user.value());
        handle.execute("DELETE FROM app_user WHERE id = ?", user.value());
        return memberships > 0;
    }

    /**
     * Makes a proven account a member in place of the account that represents its open invitation, with that account's
     * role and teams.
     *
     * @return false if the organization has not invited the address
     */
    public boolean join(Handle handle, OrganizationId organization, UserId proven, String email) {
        Optional<UserId> invited = handle.createQuery("""
                        SELECT id FROM app_user WHERE email = :email AND organization_id = :organization
                          AND proven_at IS NULL AND password_hash IS NULL""")
                .bind("email", UserStore.normalized(email))
                .bind("organization", organization)
                .mapTo(UserId.class)
                .findOne();
        if (invited.isEmpty()) {
            return false;
        }
        copyMembership(handle, organization, invited.get(), proven);
        handle.createUpdate("""
                        UPDATE team_member SET user_id = :proven
                        WHERE organization_id = :organization AND user_id = :invited""")
                .bind("proven", proven)
                .bind("organization", organization)
                .bind("invited", invited.get())
                .execute();
        delete(handle, invited.get());
        audit.record(handle, organization, MembershipChange.ACCEPTED, proven, email);
        return true;
    }

    /** Gives another account the same role, and nothing else. */
    void copyMembership(Handle handle, OrganizationId organization, UserId from, UserId to) {
        handle.createUpdate("""
                        INSERT INTO membership (organization_id, user_id, role, created_at)
                        SELECT organization_id, :to, role, created_at FROM membership
                        WHERE organization_id = :organization AND user_id = :from""")
                .bind("to", to)
                .bind("organization", organization)
                .bind("from", from)
                .execute();
    }
}
