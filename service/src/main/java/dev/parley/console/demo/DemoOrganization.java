package dev.parley.console.demo;

import dev.parley.apikey.ApiKeys;
import dev.parley.apikey.NewApiKey;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowId;
import dev.parley.node.NodeLease;
import dev.parley.organization.Organizations;
import dev.parley.organization.Team;
import dev.parley.organization.team.Teams;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.UserStore;
import dev.parley.settings.Settings;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Creates the demo organization of {@code ./parley start} in an empty installation: an operator, a team, the example
 * workflows and an API key, in one transaction that writes {@code demo.env} just before its commit. A lost {@code
 * demo.env} is created again, with a new password and a new key, if this process is the only user of the database.
 */
@Singleton
public final class DemoOrganization {
    public static final String EMAIL = "demo@parley.example";

    /** An arbitrary number; the lock makes concurrent starts on one database create one demo. */
    private static final long LOCK = 0x7061726c65790001L;

    private static final int PASSWORD_BYTES = 18;

    private final Database database;
    private final boolean isRequested;
    private final String publicUrl;
    private final UserStore users;
    private final PasswordHasher passwords;
    private final Organizations organizations;
    private final Teams teams;
    private final DemoWorkflows workflows;
    private final ApiKeys keys;
    private final Clock clock;
    private final DemoEnvFile file;
    private volatile DemoOutcome outcome = DemoOutcome.NONE;

    /** The result of a start. */
    public enum DemoOutcome {
        /** No demo is requested, or the installation was created without one. */
        NONE,
        /** This start created the demo organization. */
        CREATED,
        /** It existed without its file; this start created a file with a new password and key. */
        RENEWED,
        /** It exists with its file. */
        FOUND,
        /** It exists without its file, and other processes use the database too. */
        FILE_LOST
    }

    /** The credentials of the demo's user. */
    private record DemoCredentials(
            OrganizationId organization, @Nullable WorkflowId workflow) {}

    DemoOrganization(
            Database database,
            Settings.FirstStart settings,
            Settings.PublicUrl publicUrl,
            Settings.Storage storage,
            PasswordHasher passwords,
            Organizations organizations,
            Teams teams,
            DemoWorkflows workflows,
            ApiKeys keys,
            Clock clock) {
        this.database = database;
        this.isRequested = settings.demo();
        this.publicUrl = publicUrl.url();
        this.users = database.statements(UserStore.class);
        this.passwords = passwords;
        this.organizations = organizations;
        this.teams = teams;
        this.workflows = workflows;
        this.keys = keys;
        this.clock = clock;
        this.file = DemoEnvFile.in(storage.directory());
    }

    /** Runs after the creation of the configured operator, which prevents a demo. */
    void start(@Observes @Priority(3_000) StartupEvent started) {
        if (isRequested) {
            prepare(Boolean.getBoolean(NodeLease.ONLY_NODE));
        }
    }

    public DemoOutcome outcome() {
        return outcome;
    }

    public DemoEnvFile file() {
        return file;
    }

    /** Creates or finds the demo; {@code alone} means that no other process uses the database. */
    void prepare(boolean alone) {
        String password = newPassword();
        String hash = users.areNone() || (alone && !file.exists()) ? passwords.hash(password) : null;
        outcome = database.transaction(handle -> {
            // The first workflows of a process are validated by code that was not compiled yet.
            Database.allowMinutes(handle);
            handle.execute("SELECT pg_advisory_xact_lock(?)", LOCK);
            if (users.areNone() && hash != null) {
                create(password, hash);
                return DemoOutcome.CREATED;
            }
            Optional<UserId> user = demoUser(handle);
            if (user.isEmpty()) {
                return DemoOutcome.NONE;
            }
            if (file.exists()) {
                return DemoOutcome.FOUND;
            }
            return alone && hash != null ? renew(handle, user.get(), password, hash) : DemoOutcome.FILE_LOST;
        });
        if (outcome == DemoOutcome.FOUND) {
            file.pointTo(publicUrl);
        }
    }

    private void create(String password, String hash) {
        UserId user = users.create(UserId.next(), EMAIL, "Demo", true, hash, clock.instant())
                .orElseThrow();
        OrganizationId organization = organizations.create("Demo", user);
        Team team = teams.create(organization, "Accounting");
        teams.addMember(organization, team.id(), user);
        WorkflowId starter = workflows.create(organization, user, team.id());
        write(new DemoCredentials(organization, starter), user, password);
    }

    private DemoOutcome renew(Handle handle, UserId user, String password, String hash) {
        Optional<DemoCredentials> credentials = credentials(handle, user);
        if (credentials.isEmpty()) {
            return DemoOutcome.FILE_LOST;
        }
        users.changePassword(user, hash);
        write(credentials.get(), user, password);
        return DemoOutcome.RENEWED;
    }

    private void write(DemoCredentials credentials, UserId user, String password) {
        String key = keys.create(credentials.organization(), NewApiKey.unrestricted("Demo"), "user:" + user.text())
                .key();
        Map<String, String> values = new LinkedHashMap<>();
        values.put(DemoEnvFile.URL, publicUrl);
        values.put(DemoEnvFile.API_KEY, key);
        values.put(DemoEnvFile.ORGANIZATION, credentials.organization().text());
        values.put(
                DemoEnvFile.WORKFLOW,
                credentials.workflow() == null ? "" : credentials.workflow().text());
        values.put(DemoEnvFile.EMAIL, EMAIL);
        values.put(DemoEnvFile.PASSWORD, password);
        file.write(values);
    }

    private static Optional<UserId> demoUser(Handle handle) {
        return handle.select("SELECT id FROM app_user WHERE email = ? AND operator", EMAIL)
                .mapTo(UserId.class)
                .findOne();
    }

    /** The user's oldest organization, and its newest workflow among those created with it. */
    private static Optional<DemoCredentials> credentials(Handle handle, UserId user) {
        return handle.select("""
                        SELECT o.id AS organization, (SELECT w.id FROM workflow w
                                      WHERE w.organization_id = o.id AND w.archived_at IS NULL
                                        AND w.published_version IS NOT NULL AND w.created_at <= o.created_at
                                            + interval '1 minute'
                                      ORDER BY w.id DESC LIMIT 1) AS workflow
                        FROM membership m JOIN organization o ON o.id = m.organization_id
                        WHERE m.user_id = ? AND m.role = 'owner' AND o.deleted_at IS NULL
                        ORDER BY o.id LIMIT 1
                        """, user).mapTo(DemoCredentials.class).findOne();
    }

    private static String newPassword() {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
