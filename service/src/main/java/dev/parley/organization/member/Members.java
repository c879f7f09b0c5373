package dev.parley.organization.member;

import dev.parley.db.Database;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.http.access.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.Member;
import dev.parley.organization.MemberStore;
import dev.parley.organization.OrganizationStore;
import dev.parley.organization.Role;
import dev.parley.organization.TeamStore;
import dev.parley.organization.account.UnprovenAccounts;
import dev.parley.organization.member.MemberResource.AddedMember;
import dev.parley.organization.passwordreset.PasswordResetStore;
import dev.parley.organization.session.RandomTokens;
import dev.parley.organization.team.Teams;
import dev.parley.organization.user.UserStore;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The rules of memberships: an organization always keeps an owner who can sign in, and only owners
 * create, change and remove owners. Changes of one organization's members are serialised.
 */
@Singleton
public final class Members {
    private final Database database;
    private final MemberStore store;
    private final OrganizationStore organizations;
    private final TeamStore teamStore;
    private final UserStore users;
    private final Teams teams;
    private final InvitationStore invitations;
    private final PasswordResetStore resets;
    private final UnprovenAccounts unproven;
    private final InvitationMail mail;
    private final HmacHasher hasher;
    private final Clock clock;

    /** The person who invites, with the role there. */
    public record Inviter(DashboardUser user, Role role) {}

    Members(
            Database database,
            Teams teams,
            UnprovenAccounts unproven,
            InvitationMail mail,
            MasterKey masterKey,
            Clock clock) {
        this.database = database;
        this.store = database.statements(MemberStore.class);
        this.organizations = database.statements(OrganizationStore.class);
        this.teamStore = database.statements(TeamStore.class);
        this.users = database.statements(UserStore.class);
        this.invitations = database.statements(InvitationStore.class);
        this.resets = database.statements(PasswordResetStore.class);
        this.teams = teams;
        this.unproven = unproven;
        this.mail = mail;
        this.hasher = masterKey.hasher(InvitationStore.HASH_PURPOSE);
        this.clock = clock;
    }

    /**
     * Invites a person by email. An open invitation is replaced by the new one, with its token, name, role and teams.
     * Ignores other organizations: whether the address has an account matters only when the invitation is accepted. A
     * member with an unproven address can be invited again by mail, to prove the address; role and teams stay.
     *
     * @param teamIds the teams that the person joins at once; an unknown one is a 400. Empty leaves those of an open
     *     invitation.
     */
    AddedMember add(
            OrganizationId organization,
            Inviter inviter,
            String email,
            String name,
            Role role,
            Optional<List<Integer>> teamIds) {
        Role actor = inviter.role();
        actor.requireMayChange(role);
        return database.transaction(() -> {
            organizations.lockExisting(organization);
            Optional<Member> present = store.findByEmail(organization, UserStore.normalized(email));
            if (present.isPresent()) {
                requireInvitable(present.get());
                actor.requireMayChange(Role.of(present.get().role()));
            }
            UserId user = present.map(Member::id).orElseGet(() -> insertInvited(organization, email, name, role));
            boolean updated = present.filter(Members::isInvited).isPresent();
            if (present.isEmpty() || updated) {
                users.renameUnproven(user, name);
                store.changeRole(organization, user, role.text());
                teamIds.ifPresent(ids -> setTeams(organization, user, ids));
            }
            String token = RandomTokens.next();
            Instant expires = clock.instant().plus(InvitationStore.LIFETIME);
            invitations.invite(
                    organization,
                    user,
                    hasher.hash(token),
                    expires,
                    mail.isSent(),
                    inviter.user().id());
            Member member = store.find(organization, user).orElseThrow();
            if (!mail.isSent()) {
                return AddedMember.of(member, Optional.of(token), updated);
            }
            mail.invite(
                    organization,
                    organizations.name(organization),
                    inviter.user().name(),
                    member,
                    token);
            return AddedMember.of(member, Optional.empty(), updated);
        });
    }

    /** In the order of the ids, so that two invitations to the same teams cannot wait for each other. */
    private void setTeams(OrganizationId organization, UserId user, List<Integer> teamIds) {
        store.leaveOtherTeams(organization, user, teamIds);
        for (int team : new TreeSet<>(teamIds)) {
            if (teamStore.find(organization, team).isEmpty()) {
                throw ApiProblem.invalid(Violation.invalid(
                        ViolationCode.NOT_FOUND, "/team_ids/" + teamIds.indexOf(team), "There is no such team."));
            }
            teams.addMember(organization, team, user);
        }
    }

    private static boolean isInvited(Member member) {
        return member.status().equals("invited");
    }

    private void requireInvitable(Member member) {
        boolean proves = !member.emailProven() && mail.isSent();
        if (!isInvited(member) && !proves) {
            throw ApiProblem.of(
                    ProblemKind.ALREADY_DONE,
                    "This person is a member already. For a person who cannot sign in, create a reset link.");
        }
        if (member.emailProven() && !mail.isSent()) {
            throw ApiProblem.of(
                    ProblemKind.MAIL_NOT_CONFIGURED,
                    "This account can no longer sign in: create a reset link. A mailed invitation would need an SMTP"
                            + " server.");
        }
    }

    private UserId insertInvited(OrganizationId organization, String email, String name, Role role) {
        unproven.deleteFormer(organization, email);
        UserId user = UserId.next();
        Instant now = clock.instant();
        users.createUnproven(organization, user, email, name, now);
        store.insert(organization, user, role.text(), now);
        return user;
    }

    /** Whether the organization exists without an owner who can sign in, so that only an operator can invite one. */
    public boolean isWithoutOwner(OrganizationId organization) {
        return store.exists(organization) && !store.hasOwner(organization);
    }

    /** Changes a member's role. */
    public Member changeRole(OrganizationId organization, Role actor, UserId user, Role role) {
        actor.requireMayChange(role);
        return database.transaction(() -> {
            Member member = lockedMember(organization, user);
            actor.requireMayChange(Role.of(member.role()));
            // An admin may have created a reset link that must not work for an owner.
            resets.deleteAll(user);
            store.changeRole(organization, user, role.text());
            requireOwnerWithout(organization, member);
            return store.find(organization, user).orElseThrow();
        });
    }

    /**
     * Removes a member from the organization and its teams; leaving needs no role. The account remains, unless it was
     * never used.
     */
    public void remove(OrganizationId organization, Role actor, UserId user, boolean self) {
        database.change(_ -> {
            Member member = lockedMember(organization, user);
            if (!self) {
                actor.requireMayChange(Role.of(member.role()));
            }
            store.delete(organization, user);
            if (isInvited(member)) {
                unproven.delete(user);
            }
            requireOwnerWithout(organization, member);
        });
    }

    /** A member, with the organization's members locked; 404 without one. */
    private Member lockedMember(OrganizationId organization, UserId user) {
        organizations.lockExisting(organization);
        return store.find(organization, user).orElseThrow(() -> ApiProblem.notFound("member"));
    }

    /** Called after a change of a member: rolls back a transaction that would leave no owner. */
    private void requireOwnerWithout(OrganizationId organization, Member member) {
        if (Role.of(member.role()) == Role.OWNER && !store.hasOwner(organization)) {
            throw ApiProblem.of(
                    ProblemKind.LAST_OWNER,
                    "The last owner cannot be removed or given another role: make another member an owner first.");
        }
    }
}
