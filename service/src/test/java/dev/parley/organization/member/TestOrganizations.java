package dev.parley.organization.member;

import dev.parley.Api;
import dev.parley.apikey.ApiKeys;
import dev.parley.apikey.NewApiKey;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.http.access.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.mail.MailTestBed;
import dev.parley.node.NodeLease;
import dev.parley.organization.Organizations;
import dev.parley.organization.Role;
import dev.parley.organization.account.UnprovenAccounts;
import dev.parley.organization.session.SessionClient;
import dev.parley.organization.session.Sessions;
import dev.parley.organization.team.Teams;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.UserStore;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;

/** Organizations for tests with signed-in members, created without slow password hashing. */
@Singleton
public class TestOrganizations {
    private final Database database;
    private final UserStore users;
    private final PasswordHasher passwords;
    private final Sessions sessions;
    private final Organizations organizations;
    private final ApiKeys keys;
    private final UnprovenAccounts unproven;
    private final Teams teams;
    private final MasterKey masterKey;
    private final NodeLease node;
    private final Clock clock;

    TestOrganizations(
            Database database,
            PasswordHasher passwords,
            Sessions sessions,
            Organizations organizations,
            ApiKeys keys,
            UnprovenAccounts unproven,
            Teams teams,
            MasterKey masterKey,
            NodeLease node,
            Clock clock) {
        this.database = database;
        this.users = database.statements(UserStore.class);
        this.passwords = passwords;
        this.sessions = sessions;
        this.organizations = organizations;
        this.keys = keys;
        this.unproven = unproven;
        this.teams = teams;
        this.masterKey = masterKey;
        this.node = node;
        this.clock = clock;
    }

    /** A user with a signed-in browser. */
    public record TestUser(UserId id, String email, Api browser) {}

    /** @param path of its dashboard routes, without a trailing slash */
    public record Tenant(OrganizationId id, String path, TestUser owner, TestUser admin, TestUser member) {}

    public Tenant create() {
        TestUser owner = testUser(false);
        OrganizationId id = organizations.create("Tenant of " + owner.email(), owner.id());
        TestUser admin = testUser(false);
        TestUser member = testUser(false);
        join(id, admin, Role.ADMIN);
        join(id, member, Role.MEMBER);
        return new Tenant(id, "/dashboard/api/organizations/" + id.text(), owner, admin, member);
    }

    public TestUser operator() {
        return testUser(true);
    }

    /** A user without an organization. */
    public TestUser testUser() {
        return testUser(false);
    }

    /** A key without restrictions. */
    public String key(OrganizationId organization) {
        return keys.create(organization, NewApiKey.unrestricted("test"), "system")
                .key();
    }

    public String key(OrganizationId organization, NewApiKey requested) {
        return keys.create(organization, requested, "system").key();
    }

    public void join(OrganizationId organization, TestUser person, Role role) {
        database.change(handle -> handle.execute(
                "INSERT INTO membership (organization_id, user_id, role, created_at) VALUES (?, ?, ?, now())",
                organization.value(),
                person.id().value(),
                role.text()));
    }

    /** Invites a person as without an SMTP server; returns the token that the inviting admin gets. */
    public String inviteWithoutSmtp(OrganizationId organization, String email, Role role) {
        var outbox = MailTestBed.holding(node, database, clock, masterKey);
        var members = new Members(
                database,
                teams,
                unproven,
                new InvitationMail(outbox, new Settings.PublicUrl("http://unused", true)),
                masterKey,
                clock);
        TestUser inviter = testUser(false);
        var person = new DashboardUser(inviter.id(), inviter.email(), "TestUser", false, true);
        return Objects.requireNonNull(members.add(
                        organization, new Members.Inviter(person, Role.OWNER), email, "Invited", role, Optional.empty())
                .invitationToken());
    }

    /** Removes a member, even the last owner. */
    public void leave(OrganizationId organization, TestUser person) {
        database.change(handle -> handle.execute(
                "DELETE FROM membership WHERE organization_id = ? AND user_id = ?",
                organization.value(),
                person.id().value()));
    }

    /** A browser in which an existing user is signed in. */
    public Api browser(UserId id) {
        return Api.dashboard().withSession(sessions.begin(id, new SessionClient("127.0.0.1", null, null)));
    }

    private TestUser testUser(boolean operator) {
        String email = UserId.next().text() + "@test.example";
        UserId id = users.create(UserId.next(), email, "TestUser", operator, "no hash", clock.instant())
                .orElseThrow();
        String token = sessions.begin(id, new SessionClient("127.0.0.1", null, null));
        return new TestUser(id, email, Api.dashboard().withSession(token));
    }

    /** A user with a real password. */
    public TestUser withPassword(String password) {
        String email = UserId.next().text() + "@test.example";
        UserId id = users.create(UserId.next(), email, "TestUser", false, passwords.hash(password), clock.instant())
                .orElseThrow();
        return new TestUser(id, email, Api.dashboard());
    }
}
