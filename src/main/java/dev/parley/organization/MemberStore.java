package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.http.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code membership} and its rules: an organization always keeps an owner who can sign in, and only owners
 * create, change and remove owners. Changes of one organization's members are serialised.
 */
@Singleton
public final class MemberStore {
    /** Can sign in: by a password, or by an identity at the OpenID provider. */
    private static final String CAN_SIGN_IN =
            "(u.password_hash IS NOT NULL OR EXISTS (SELECT FROM user_identity i WHERE i.user_id = u.id))";

    private static final String STATUS = "CASE WHEN " + CAN_SIGN_IN + " THEN 'active' ELSE 'invited' END";

    static final String COLUMNS = "u.id, u.email, u.name, m.role, " + STATUS + """
             AS status, u.proven_at IS NOT NULL AS email_proven, m.created_at, m.last_seen_at,
            (SELECT v.expires_at FROM invitation v
                WHERE v.organization_id = m.organization_id AND v.user_id = m.user_id) AS invitation_expires_at,
            (SELECT b.name FROM invitation v JOIN app_user b ON b.id = v.invited_by
                WHERE v.organization_id = m.organization_id AND v.user_id = m.user_id) AS invited_by,
            EXISTS (SELECT FROM invitation v JOIN mail n ON n.organization_id = v.organization_id
                    AND n.state = 'FAILED' AND n.kind = 'INVITATION' AND n.recipient = u.email
                    AND n.created_at >= v.expires_at - interval '7 days'
                WHERE v.organization_id = m.organization_id AND v.user_id = m.user_id) AS invitation_failed,
            ARRAY(SELECT tm.team_id FROM team_member tm
                WHERE tm.organization_id = m.organization_id AND tm.user_id = m.user_id ORDER BY tm.team_id) AS team_ids""";

    private final Database database;
    private final UserStore users;
    private final TeamStore teams;
    private final InvitationStore invitations;
    private final UnprovenAccounts unproven;
    private final InvitationMail mail;
    private final Clock clock;

    /** The person who invites, with the role there. */
    public record Inviter(DashboardUser user, Role role) {}

    /**
     * A person who was just invited.
     *
     * @param invitationToken empty if the invitation was mailed
     * @param updated whether this replaced an open invitation
     */
    public record MemberAddition(Member member, Optional<String> invitationToken, boolean updated) {
        @Override
        public String toString() {
            return "Added[" + member.id() + "]";
        }
    }

    MemberStore(
            Database database,
            UserStore users,
            TeamStore teams,
            InvitationStore invitations,
            UnprovenAccounts unproven,
            InvitationMail mail,
            Clock clock) {
        this.database = database;
        this.users = users;
        this.teams = teams;
        this.invitations = invitations;
        this.unproven = unproven;
        this.mail = mail;
        this.clock = clock;
    }

    /**
     * Members by the creation time of their account.
     *
     * @param status only members with this status
     * @param search part of the name or email address, in any case; empty for all
     */
    public List<Member> list(
            OrganizationId organization, Optional<String> status, String search, Optional<UserId> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM membership m JOIN app_user u ON u.id = m.user_id
                        WHERE m.organization_id = :organization
                          AND (:after::uuid IS NULL OR m.user_id > :after::uuid)
                          AND (:search = '' OR strpos(lower(u.name), lower(:search)) > 0
                            OR strpos(u.email, lower(:search)) > 0)
                          AND (:status::text IS NULL OR %s = :status::text)
                        ORDER BY m.user_id LIMIT :limit""".formatted(COLUMNS, STATUS))
                .bind("status", status)
                .bind("search", search)
                .bind("organization", organization)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(Member.class)
                .list());
    }

    /**
     * Invites a person by email. An open invitation is replaced by the new one, with its token, name, role and teams.
     * Ignores other organizations: whether the address has an account matters only when the invitation is accepted. A
     * member with an unproven address can be invited again by mail, to prove the address; role and teams stay.
     *
     * @param teamIds the teams that the person joins at once; an unknown one is a 400. Empty leaves those of an open
     *     invitation.
     */
    public MemberAddition add(
            OrganizationId organization,
            Inviter inviter,
            String email,
            String name,
            Role role,
            Optional<List<Integer>> teamIds) {
        Role actor = inviter.role();
        requireMayChange(actor, role);
        return database.transaction(handle -> {
            lock(handle, organization);
            Optional<Member> present = find(handle, organization, email);
            if (present.isPresent()) {
                requireInvitable(present.get());
                requireMayChange(actor, Role.of(present.get().role()));
            }
            UserId user =
                    present.map(Member::id).orElseGet(() -> insertInvited(handle, organization, email, name, role));
            boolean updated = present.filter(MemberStore::isInvited).isPresent();
            if (present.isEmpty() || updated) {
                users.renameUnproven(handle, user, name);
                setRole(handle, organization, user, role);
                teamIds.ifPresent(ids -> setTeams(handle, organization, user, ids));
            }
            String token = invitations.invite(
                    handle, organization, user, inviter.user().id(), mail.isSent());
            Member member = find(handle, organization, user).orElseThrow();
            if (!mail.isSent()) {
                return new MemberAddition(member, Optional.of(token), updated);
            }
            mail.invite(handle, organization, inviter.user().name(), member, token);
            return new MemberAddition(member, Optional.empty(), updated);
        });
    }

    /** In the order of the ids, so that two invitations to the same teams cannot wait for each other. */
    private void setTeams(Handle handle, OrganizationId organization, UserId user, List<Integer> teamIds) {
        handle.createUpdate("""
                        DELETE FROM team_member
                        WHERE organization_id = :organization AND user_id = :user AND team_id <> ALL (:teams)""")
                .bind("organization", organization)
                .bind("user", user)
                .bindArray("teams", Integer.class, teamIds)
                .execute();
        for (int team : new TreeSet<>(teamIds)) {
            if (!TeamStore.exists(handle, organization, team)) {
                throw ApiProblem.invalid(
                        Violation.invalid("/team_ids/" + teamIds.indexOf(team), "There is no such team."));
            }
            teams.addMember(handle, organization, team, user);
        }
    }

    private static void setRole(Handle handle, OrganizationId organization, UserId user, Role role) {
        handle.createUpdate("""
                        UPDATE membership SET role = :role
                        WHERE organization_id = :organization AND user_id = :user""")
                .bind("role", role.text())
                .bind("organization", organization)
                .bind("user", user)
                .execute();
    }

    private static boolean isInvited(Member member) {
        return member.status().equals("invited");
    }

    private void requireInvitable(Member member) {
        boolean proves = !member.emailProven() && mail.isSent();
        if (!isInvited(member) && !proves) {
            throw ApiProblem.of(
                    ProblemKind.CONFLICT,
                    "This person is a member already. For a person who cannot sign in, create a reset link.");
        }
        if (member.emailProven() && !mail.isSent()) {
            throw ApiProblem.of(
                    ProblemKind.CONFLICT,
                    "This account can no longer sign in: create a reset link. A mailed invitation would need an SMTP"
                            + " server.");
        }
    }

    private UserId insertInvited(Handle handle, OrganizationId organization, String email, String name, Role role) {
        unproven.deleteFormer(handle, organization, email);
        UserId user = users.createUnproven(handle, organization, email, name);
        insert(handle, organization, user, role);
        return user;
    }

    /** Whether the organization exists without an owner who can sign in, so that only an operator can invite one. */
    public boolean isWithoutOwner(OrganizationId organization) {
        return database.with(handle ->
                handle.createQuery("SELECT EXISTS (SELECT FROM organization WHERE id = :id AND deleted_at IS NULL)")
                                .bind("id", organization)
                                .mapTo(Boolean.class)
                                .one()
                        && !hasOwner(handle, organization));
    }

    /** Changes a member's role. */
    public Member changeRole(OrganizationId organization, Role actor, UserId user, Role role) {
        requireMayChange(actor, role);
        return database.transaction(handle -> {
            lock(handle, organization);
            Member member = find(handle, organization, user).orElseThrow(() -> ApiProblem.notFound("member"));
            requireMayChange(actor, Role.of(member.role()));
            // An admin may have created a reset link that must not work for an owner.
            handle.execute("DELETE FROM password_reset WHERE user_id = ?", user.value());
            setRole(handle, organization, user, role);
            requireOwnerWithout(handle, organization, member);
            return find(handle, organization, user).orElseThrow();
        });
    }

    /**
     * Removes a member from the organization and its teams; leaving needs no role. The account remains, unless it was
     * never used.
     */
    public void remove(OrganizationId organization, Role actor, UserId user, boolean self) {
        database.change(handle -> {
            lock(handle, organization);
            Member member = find(handle, organization, user).orElseThrow(() -> ApiProblem.notFound("member"));
            if (!self) {
                requireMayChange(actor, Role.of(member.role()));
            }
            handle.createUpdate("DELETE FROM membership WHERE organization_id = :organization AND user_id = :user")
                    .bind("organization", organization)
                    .bind("user", user)
                    .execute();
            if (isInvited(member)) {
                unproven.delete(handle, user);
            }
            requireOwnerWithout(handle, organization, member);
        });
    }

    /** A member, with the organization's members locked; 404 without one. */
    Member lockedMember(Handle handle, OrganizationId organization, UserId user) {
        lock(handle, organization);
        return find(handle, organization, user).orElseThrow(() -> ApiProblem.notFound("member"));
    }

    /** The existing organizations of a user. */
    List<OrganizationId> organizationsOf(Handle handle, UserId user) {
        return handle.createQuery("""
                        SELECT m.organization_id FROM membership m JOIN organization o ON o.id = m.organization_id
                        WHERE m.user_id = :user AND o.deleted_at IS NULL ORDER BY m.organization_id""")
                .bind("user", user)
                .mapTo(OrganizationId.class)
                .list();
    }

    private void insert(Handle handle, OrganizationId organization, UserId user, Role role) {
        handle.createUpdate("""
                        INSERT INTO membership (organization_id, user_id, role, created_at)
                        VALUES (:organization, :user, :role, :now)""")
                .bind("organization", organization)
                .bind("user", user)
                .bind("role", role.text())
                .bind("now", clock.instant())
                .execute();
    }

    private static void lock(Handle handle, OrganizationId organization) {
        if (!OrganizationStore.lock(handle, organization)) {
            throw ApiProblem.notFound("organization");
        }
    }

    static void requireMayChange(Role actor, Role role) {
        if (role == Role.OWNER && actor != Role.OWNER) {
            throw ApiProblem.of(ProblemKind.FORBIDDEN, "Only owners can add, change or remove owners.");
        }
    }

    /** Called after a change of a member: rolls back a transaction that would leave no owner. */
    private static void requireOwnerWithout(Handle handle, OrganizationId organization, Member member) {
        if (Role.of(member.role()) == Role.OWNER && !hasOwner(handle, organization)) {
            throw ApiProblem.of(
                    ProblemKind.CONFLICT,
                    "The last owner cannot be removed or given another role: make another member an owner first.");
        }
    }

    private static boolean hasOwner(Handle handle, OrganizationId organization) {
        return handle.createQuery("""
                        SELECT EXISTS (SELECT FROM membership m JOIN app_user u ON u.id = m.user_id
                        WHERE m.organization_id = :organization AND m.role = 'owner'
                          AND %s)""".formatted(CAN_SIGN_IN))
                .bind("organization", organization)
                .mapTo(Boolean.class)
                .one();
    }

    private static Optional<Member> find(Handle handle, OrganizationId organization, String email) {
        return handle.createQuery("""
                        SELECT %s FROM membership m JOIN app_user u ON u.id = m.user_id
                        WHERE m.organization_id = :organization AND u.email = :email""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("email", UserStore.normalized(email))
                .mapTo(Member.class)
                .findOne();
    }

    private static Optional<Member> find(Handle handle, OrganizationId organization, UserId user) {
        return handle.createQuery("""
                        SELECT %s FROM membership m JOIN app_user u ON u.id = m.user_id
                        WHERE m.organization_id = :organization AND m.user_id = :user""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("user", user)
                .mapTo(Member.class)
                .findOne();
    }
}
