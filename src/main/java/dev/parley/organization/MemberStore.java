package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.problem.Problem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code membership} and its rules: an organization always keeps an owner who can sign in, and only owners
 * make, change and remove owners. Changes of one organization's members go one after the other.
 */
@Singleton
public final class MemberStore {
    /** Can sign in: by a password, or by an identity at the OpenID provider. */
    private static final String ENTERS =
            "(u.password_hash IS NOT NULL OR EXISTS (SELECT FROM user_identity i WHERE i.user_id = u.id))";

    static final String COLUMNS = "u.id, u.email, u.name, m.role, NOT " + ENTERS + " AS invited, m.created_at";

    private final Database database;
    private final Users users;
    private final Invitations invitations;
    private final InvitationMail mail;
    private final Clock clock;

    /**
     * A member that was just added.
     *
     * @param invitationToken empty when the person can sign in already, or was invited by another organization
     */
    public record Added(Member member, Optional<String> invitationToken) {
        @Override
        public String toString() {
            return "Added[" + member.id() + "]";
        }
    }

    MemberStore(Database database, Users users, Invitations invitations, InvitationMail mail, Clock clock) {
        this.database = database;
        this.users = users;
        this.invitations = invitations;
        this.mail = mail;
        this.clock = clock;
    }

    public List<Member> list(OrganizationId organization, Optional<UserId> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM membership m JOIN app_user u ON u.id = m.user_id
                        WHERE m.organization_id = :organization
                          AND (:after::uuid IS NULL OR m.user_id > :after::uuid)
                        ORDER BY m.user_id LIMIT :limit""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("after", after.map(UserId::value).orElse(null))
                .bind("limit", limit)
                .map((row, _) -> read(row))
                .list());
    }

    /**
     * Adds a person by e-mail. One who is new to the installation gets an invitation, and a new one when added again
     * before it was accepted. An account that another organization invited is never handed to this one: its token
     * would open the other's organization too.
     */
    public Added add(OrganizationId organization, Role actor, String email, String name, Role role) {
        requireMayTouch(actor, role);
        return database.transaction(handle -> {
            lock(handle, organization);
            Optional<UserId> created = users.create(handle, email, name, null, false);
            UserId user = created.orElseGet(
                    () -> users.find(handle, email).orElseThrow().person().id());
            Optional<Member> member = find(handle, organization, user);
            if (member.isPresent() && !member.get().status().equals("invited")) {
                throw Problem.of(ProblemKind.CONFLICT, "This person is a member already.");
            }
            if (member.isPresent()) {
                requireMayTouch(actor, Role.of(member.get().role()));
            } else {
                insert(handle, organization, user, role);
            }
            Member added = find(handle, organization, user).orElseThrow();
            boolean ours = added.status().equals("invited") && isNowhereElse(handle, organization, user);
            if (!ours) {
                return new Added(added, Optional.empty());
            }
            String token = invitations.invite(handle, organization, user);
            mail.invite(handle, organization, added, token);
            return new Added(added, Optional.of(token));
        });
    }

    /** Gives a member another role. */
    public Member changeRole(OrganizationId organization, Role actor, UserId user, Role role) {
        requireMayTouch(actor, role);
        return database.transaction(handle -> {
            lock(handle, organization);
            Member member = find(handle, organization, user).orElseThrow(() -> Problem.notFound("member"));
            requireMayTouch(actor, Role.of(member.role()));
            handle.createUpdate("""
                            UPDATE membership SET role = :role
                            WHERE organization_id = :organization AND user_id = :user""")
                    .bind("role", role.text())
                    .bind("organization", organization)
                    .bind("user", user)
                    .execute();
            requireOwner(handle, organization);
            return find(handle, organization, user).orElseThrow();
        });
    }

    /** Removes a member, from the organization's teams as well; who leaves by oneself needs no role for it. */
    public void remove(OrganizationId organization, Role actor, UserId user, boolean self) {
        database.change(handle -> {
            lock(handle, organization);
            Member member = find(handle, organization, user).orElseThrow(() -> Problem.notFound("member"));
            if (!self) {
                requireMayTouch(actor, Role.of(member.role()));
            }
            handle.createUpdate("DELETE FROM membership WHERE organization_id = :organization AND user_id = :user")
                    .bind("organization", organization)
                    .bind("user", user)
                    .execute();
            requireOwner(handle, organization);
        });
    }

    private void insert(Handle handle, OrganizationId organization, UserId user, Role role) {
        handle.createUpdate("""
                        INSERT INTO membership (organization_id, user_id, role, created_at)
                        VALUES (:organization, :user, :role, :now)""")
                .bind("organization", organization)
                .bind("user", user)
                .bind("role", role.text())
                .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                .execute();
    }

    private static void lock(Handle handle, OrganizationId organization) {
        if (!OrganizationStore.lock(handle, organization)) {
            throw Problem.notFound("organization");
        }
    }

    private static void requireMayTouch(Role actor, Role role) {
        if (role == Role.OWNER && actor != Role.OWNER) {
            throw Problem.of(ProblemKind.FORBIDDEN, "Only an owner may make, change or remove an owner.");
        }
    }

    /** Asked after a change: the transaction that would leave none is undone. */
    private static void requireOwner(Handle handle, OrganizationId organization) {
        boolean any = handle.createQuery("""
                        SELECT EXISTS (SELECT FROM membership m JOIN app_user u ON u.id = m.user_id
                        WHERE m.organization_id = :organization AND m.role = 'owner'
                          AND %s)""".formatted(ENTERS))
                .bind("organization", organization)
                .mapTo(Boolean.class)
                .one();
        if (!any) {
            throw Problem.of(ProblemKind.CONFLICT, "The last owner can be neither removed nor given another role.");
        }
    }

    private static boolean isNowhereElse(Handle handle, OrganizationId organization, UserId user) {
        return handle.createQuery("""
                        SELECT NOT EXISTS (SELECT FROM membership
                        WHERE user_id = :user AND organization_id <> :organization)""")
                .bind("user", user)
                .bind("organization", organization)
                .mapTo(Boolean.class)
                .one();
    }

    private static Optional<Member> find(Handle handle, OrganizationId organization, UserId user) {
        return handle.createQuery("""
                        SELECT %s FROM membership m JOIN app_user u ON u.id = m.user_id
                        WHERE m.organization_id = :organization AND m.user_id = :user""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("user", user)
                .map((row, _) -> read(row))
                .findOne();
    }

    static Member read(ResultSet row) throws SQLException {
        return new Member(
                new UserId(row.getObject("id", UUID.class)),
                row.getString("email"),
                row.getString("name"),
                row.getString("role"),
                row.getBoolean("invited") ? "invited" : "active",
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }
}
