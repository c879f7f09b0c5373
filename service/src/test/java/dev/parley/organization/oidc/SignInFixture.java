package dev.parley.organization.oidc;

import dev.parley.TestClock;
import dev.parley.audit.TestMembershipAudit;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.TestPostgres;
import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressRules;
import dev.parley.http.access.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.Organizations;
import dev.parley.organization.session.SessionClient;
import dev.parley.organization.session.Sessions;
import dev.parley.organization.session.TestSignIn;
import dev.parley.organization.user.UserStore;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Signs in at a {@link TestProvider} with a separate database. Only the issuer's address is allowed for outgoing
 * requests.
 */
final class SignInFixture implements AutoCloseable {
    private static final SessionClient CLIENT = new SessionClient("192.0.2.1", null, null);

    final TestProvider provider;
    final TestClock clock = new TestClock();
    final Database database = TestPostgres.migrated();
    final UserStore users = database.statements(UserStore.class);
    private final MasterKey masterKey = new MasterKey(Settings.of(Map.of()).storage(), database);
    final TestMembershipAudit audit = new TestMembershipAudit(database, clock);
    final Sessions sessions = TestSignIn.sessions(database, masterKey, clock);
    OidcSignIn signIn;

    SignInFixture() throws IOException {
        provider = new TestProvider();
        signIn = with(Map.of());
    }

    /** Uses these settings for signing in from now on. */
    OidcSignIn with(Map<Setting, String> more) {
        Map<Setting, String> values = new HashMap<>(Map.of(
                Setting.PARLEY_OIDC_ISSUER, provider.issuer(),
                Setting.PARLEY_OIDC_CLIENT_ID, TestProvider.CLIENT,
                Setting.PARLEY_OIDC_CLIENT_SECRET, TestProvider.SECRET));
        values.putAll(more);
        Settings settings = Settings.of(values);
        signIn = new OidcSignIn(
                settings.oidc(),
                settings.publicUrl(),
                new EgressRules(EgressAllow.none()),
                new IdentityResolver(database, TestSignIn.unproven(database, audit, clock), clock),
                database,
                sessions,
                TestSignIn.throttle(database, masterKey, clock),
                masterKey,
                clock);
        return signIn;
    }

    /** An account with an unproven address; with a password, it has been used. */
    UserId unproven(OrganizationId organization, String email, Optional<String> passwordHash) {
        return TestSignIn.unprovenAccount(database, organization, email, passwordHash.orElse(null));
    }

    UserId user(String email) {
        return users.create(UserId.next(), email, "TestUser", false, null, clock.instant())
                .orElseThrow();
    }

    /** The number of accounts. */
    int users() {
        return database.with(handle -> handle.createQuery("SELECT count(*) FROM app_user")
                .mapTo(Integer.class)
                .one());
    }

    OrganizationId organization(UserId owner) {
        return new Organizations(database, clock, Settings.of(Map.of()).quotas()).create("Acme", owner);
    }

    /** Whether the client's network is one from which the user has signed in. */
    boolean isKnownNetwork(UserId user) {
        return TestSignIn.isKnown(TestSignIn.throttle(database, masterKey, clock), user, CLIENT);
    }

    /** Signs in through the provider. */
    DashboardUser enter() {
        return enter(provider);
    }

    DashboardUser enter(TestProvider configured) {
        OidcSignIn.StartedSignIn begun = signIn.start("/");
        return end(begun, configured.authorize(begun.url()));
    }

    DashboardUser end(OidcSignIn.StartedSignIn begun, Map<String, String> back) {
        OidcAttempt attempt = signIn.attempt(begun.cookie())
                .orElseThrow(() -> new OidcRejection(OidcRejection.OidcRejectionReason.NOT_BEGUN_HERE, "no attempt"));
        return TestSignIn.person(sessions, signIn.complete(attempt, redirect(back), CLIENT))
                .orElseThrow();
    }

    static OidcSignIn.OidcRedirect redirect(Map<String, String> back) {
        return new OidcSignIn.OidcRedirect(
                back.getOrDefault("code", ""),
                back.getOrDefault("state", ""),
                back.getOrDefault("iss", ""),
                back.getOrDefault("error", ""));
    }

    @Override
    public void close() throws IOException {
        signIn.close();
        database.close();
        provider.close();
    }
}
