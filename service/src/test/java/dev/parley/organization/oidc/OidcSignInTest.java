package dev.parley.organization.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.egress.ScriptedServer;
import dev.parley.http.access.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.session.SessionClient;
import dev.parley.organization.session.TestSignIn;
import dev.parley.settings.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who can sign in by the provider, and as which account. */
class OidcSignInTest {
    private static final String DISCOVERY = "/.well-known/openid-configuration";

    private SignInFixture fixture;
    private TestProvider provider;

    @BeforeEach
    void start() throws IOException {
        fixture = new SignInFixture();
        provider = fixture.provider;
    }

    @AfterEach
    void stop() throws IOException {
        fixture.close();
    }

    @Test
    void aPersonOfTheInstallationEntersByTheVerifiedAddress() {
        UserId ada = fixture.user("ada@acme.example");
        provider.person("subject-1", "Ada@Acme.example", true);
        assertThat(fixture.enter().id()).isEqualTo(ada);
    }

    @Test
    void theNetworkOfASignInIsAKnownOne() {
        UserId ada = fixture.user("ada@acme.example");
        assertThat(fixture.isKnownNetwork(ada)).isFalse();
        provider.person("subject-1", "ada@acme.example", true);
        fixture.enter();
        assertThat(fixture.isKnownNetwork(ada)).isTrue();
        assertThat(fixture.isKnownNetwork(UserId.next())).isFalse();
    }

    @Test
    void uninvitedPeopleAreRejected() {
        provider.person("subject-1", "eve@acme.example", true);
        assertRefused(OidcRejection.OidcRejectionReason.NOT_INVITED, fixture::enter);
        assertThat(fixture.users.areNone()).isTrue();
    }

    @Test
    void anUnverifiedAddressLinksNoAccount() {
        fixture.user("ada@acme.example");
        provider.person("subject-1", "ada@acme.example", false);
        assertRefused(OidcRejection.OidcRejectionReason.EMAIL_NOT_VERIFIED, fixture::enter);
        provider.person = Map.of("sub", "subject-1", "email", "ada@acme.example");
        assertRefused(OidcRejection.OidcRejectionReason.EMAIL_NOT_VERIFIED, fixture::enter);
    }

    @Test
    void takingAnothersAddressAtTheProviderKeepsTheOwnAccount() {
        UserId eve = fixture.user("eve@acme.example");
        UserId ada = fixture.user("ada@acme.example");
        provider.person("eves", "eve@acme.example", true);
        fixture.enter();
        provider.person("eves", "ada@acme.example", true);
        assertThat(fixture.enter().id()).isEqualTo(eve).isNotEqualTo(ada);
    }

    @Test
    void aReassignedAddressDoesNotOpenTheOldAccount() {
        fixture.user("ada@acme.example");
        provider.person("adas", "ada@acme.example", true);
        fixture.enter();
        provider.person("her-successors", "ada@acme.example", true);
        assertRefused(OidcRejection.OidcRejectionReason.OTHER_ACCOUNT, fixture::enter);
    }

    @Test
    void peopleOfTheDomainsBecomeMembersOfTheOrganizationOnce() {
        OrganizationId acme = fixture.organization(fixture.user("owner@acme.example"));
        fixture.with(Map.of(
                Setting.PARLEY_OIDC_DOMAINS, "acme.example, acme.org", Setting.PARLEY_OIDC_ORGANIZATION, acme.text()));
        provider.person("new", "new@acme.org", true);
        DashboardUser entered = fixture.enter();
        assertThat(entered.name()).isEqualTo("Ada Lovelace");
        assertThat(entered.operator()).isFalse();
        assertThat(role(acme, entered.id())).containsExactly("member");
        fixture.database.change(handle -> handle.execute(
                "DELETE FROM membership WHERE user_id = ?", entered.id().value()));
        assertThat(fixture.enter().id()).isEqualTo(entered.id());
        assertThat(role(acme, entered.id())).isEmpty();
        for (String other : List.of("x@evil-acme.example", "x@sub.acme.example", "acme.example@evil.example")) {
            provider.person("other", other, true);
            assertRefused(OidcRejection.OidcRejectionReason.NOT_INVITED, fixture::enter);
        }
        fixture.database.change(handle -> handle.execute("UPDATE organization SET deleted_at = now()"));
        provider.person("late", "late@acme.example", true);
        assertRefused(OidcRejection.OidcRejectionReason.NOT_INVITED, fixture::enter);
    }

    @Test
    void anInvitedPersonGetsAnAccountAndTheInvitationStaysOpen() {
        OrganizationId acme = fixture.organization(fixture.user("owner@acme.example"));
        UserId invited = fixture.unproven(acme, "new@acme.example", Optional.empty());
        provider.person("new", "new@acme.example", true);

        DashboardUser entered = fixture.enter();

        assertThat(entered.id()).isNotEqualTo(invited);
        assertThat(entered.emailProven()).isTrue();
        assertThat(role(acme, entered.id())).isEmpty();
        assertThat(role(acme, invited)).containsExactly("admin");
        assertThat(fixture.enter().id()).isEqualTo(entered.id());
    }

    @Test
    void aVerifiedAddressReplacesUnprovenAccountsAndIsNeverLinkedToOne() {
        OrganizationId mallorys = fixture.organization(fixture.user("mallory@evil.example"));
        OrganizationId mallets = fixture.organization(fixture.user("mallet@evil.example"));
        UserId first = fixture.unproven(mallorys, "cfo@acme.example", Optional.of("hash"));
        UserId second = fixture.unproven(mallets, "cfo@acme.example", Optional.of("hash"));
        String session = fixture.sessions.begin(first, new SessionClient("127.0.0.1", null, null));
        provider.person("cfo", "cfo@acme.example", false);
        assertRefused(OidcRejection.OidcRejectionReason.EMAIL_NOT_VERIFIED, fixture::enter);
        assertThat(TestSignIn.person(fixture.sessions, session)).isPresent();

        provider.person("cfo", "CFO@acme.example", true);
        DashboardUser entered = fixture.enter();

        assertThat(entered.id()).isNotIn(first, second);
        assertThat(TestSignIn.person(fixture.sessions, session)).isEmpty();
        for (OrganizationId organization : List.of(mallorys, mallets)) {
            assertThat(role(organization, entered.id())).isEmpty();
            assertThat(fixture.audit.actions(organization)).containsExactly("members.replace");
        }
        assertThat(role(mallorys, first)).isEmpty();
        assertThat(role(mallets, second)).isEmpty();
    }

    @Test
    void oneWhomTheOrganizationOfTheDomainInvitedGetsTheInvitationsRole() {
        OrganizationId acme = fixture.organization(fixture.user("owner@acme.example"));
        fixture.with(
                Map.of(Setting.PARLEY_OIDC_DOMAINS, "acme.example", Setting.PARLEY_OIDC_ORGANIZATION, acme.text()));
        UserId invited = fixture.unproven(acme, "new@acme.example", Optional.empty());
        UserId entered = fixture.unproven(acme, "old@acme.example", Optional.of("hash"));

        provider.person("new", "new@acme.example", true);
        assertThat(role(acme, fixture.enter().id())).containsExactly("admin");
        provider.person("old", "old@acme.example", true);
        assertThat(role(acme, fixture.enter().id())).containsExactly("member");

        assertThat(role(acme, invited)).isEmpty();
        assertThat(role(acme, entered)).isEmpty();
        assertThat(fixture.audit.actions(acme))
                .containsExactly("members.register", "members.replace", "invitations.accept");
    }

    @Test
    void aRemovedMemberCannotRegisterAgain() {
        OrganizationId acme = fixture.organization(fixture.user("owner@acme.example"));
        fixture.with(
                Map.of(Setting.PARLEY_OIDC_DOMAINS, "acme.example", Setting.PARLEY_OIDC_ORGANIZATION, acme.text()));
        UserId removed = fixture.unproven(acme, "old@acme.example", Optional.of("hash"));
        fixture.database.change(handle -> handle.execute("DELETE FROM membership WHERE user_id = ?", removed.value()));
        provider.person("old", "old@acme.example", true);
        assertThat(role(acme, fixture.enter().id())).isEmpty();
        assertThat(role(acme, fixture.enter().id())).isEmpty();
        assertThat(fixture.audit.actions(acme)).isEmpty();
    }

    @Test
    void anAddressThatOnlyLowerCaseMakesEqualIsAnotherAddress() {
        UserId ada = fixture.user("kelvin@acme.example");
        provider.person("other", "\u212aelvin@acme.example", true);
        assertRefused(OidcRejection.OidcRejectionReason.EMAIL_NOT_VERIFIED, fixture::enter);
        provider.person("same", "Kelvin@acme.example", true);
        assertThat(fixture.enter().id()).isEqualTo(ada);
    }

    @Test
    void anInvitationToADeletedOrganizationIsInvalid() {
        OrganizationId acme = fixture.organization(fixture.user("owner@acme.example"));
        fixture.unproven(acme, "new@acme.example", Optional.empty());
        fixture.database.change(handle -> handle.execute("UPDATE organization SET deleted_at = now()"));
        provider.person("new", "new@acme.example", true);
        assertRefused(OidcRejection.OidcRejectionReason.NOT_INVITED, fixture::enter);
    }

    @Test
    void aCodeIsGoodOnceAndOnlyForTheBrowserThatBegan() {
        fixture.user("ada@acme.example");
        provider.person("adas", "ada@acme.example", true);
        OidcSignIn.StartedSignIn hers = fixture.signIn.start("/");
        OidcSignIn.StartedSignIn theirs = fixture.signIn.start("/");
        Map<String, String> back = provider.authorize(hers.url());
        assertRefused(OidcRejection.OidcRejectionReason.NOT_BEGUN_HERE, () -> fixture.end(theirs, back));
        // The attacker's own state with another person's code: the provider checks the verifier's hash.
        Map<String, String> swapped = Map.of(
                "code",
                back.get("code"),
                "state",
                provider.authorize(theirs.url()).get("state"));
        assertRefused(OidcRejection.OidcRejectionReason.NOT_TRUSTED, () -> fixture.end(theirs, swapped));
        Map<String, String> again = provider.authorize(hers.url());
        assertThat(fixture.end(hers, again).email()).isEqualTo("ada@acme.example");
        assertRefused(OidcRejection.OidcRejectionReason.NOT_BEGUN_HERE, () -> fixture.end(hers, again));
    }

    @Test
    void anAttemptEndsAfterTenMinutes() {
        OidcSignIn.StartedSignIn begun = fixture.signIn.start("/");
        assertThat(fixture.signIn.attempt(begun.cookie())).isPresent();
        fixture.clock.advance(OidcAttempt.LIFETIME);
        assertThat(fixture.signIn.attempt(begun.cookie())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "AAAA", "eyJzdGF0ZSI6IngifQ", "????"})
    void aCookieThatWasNotEncryptedHereIsRejected(String cookie) {
        assertThat(fixture.signIn.attempt(cookie)).isEmpty();
    }

    @Test
    void aRedirectOfAnotherIssuerIsRefused() {
        fixture.user("ada@acme.example");
        provider.person("adas", "ada@acme.example", true);
        provider.discovery = document -> {
            document.put("authorization_response_iss_parameter_supported", true);
            return document;
        };
        OidcSignIn.StartedSignIn begun = fixture.signIn.start("/");
        Map<String, String> back = provider.authorize(begun.url());
        assertRefused(OidcRejection.OidcRejectionReason.NOT_TRUSTED, () -> fixture.end(begun, back));
        OidcSignIn.StartedSignIn second = fixture.signIn.start("/");
        Map<String, String> other = plus(provider.authorize(second.url()), "iss", "https://evil.example");
        assertRefused(OidcRejection.OidcRejectionReason.NOT_TRUSTED, () -> fixture.end(second, other));
        assertThat(provider.asked("/token")).isZero();
        OidcSignIn.StartedSignIn third = fixture.signIn.start("/");
        fixture.end(third, plus(provider.authorize(third.url()), "iss", provider.issuer()));
    }

    @Test
    void aDeniedConsentIsReported() {
        OidcSignIn.StartedSignIn begun = fixture.signIn.start("/");
        String state = provider.authorize(begun.url()).get("state");
        assertRefused(
                OidcRejection.OidcRejectionReason.CANCELLED,
                () -> fixture.end(begun, Map.of("error", "access_denied", "state", state)));
    }

    @Test
    void aProviderThatIsDownIsAskedAgainOnlyAfterAPause() {
        provider.instead(DISCOVERY, ScriptedServer.answering(503, "text/html", "down"));
        for (int i = 0; i < 5; i++) {
            assertRefused(OidcRejection.OidcRejectionReason.PROVIDER_UNAVAILABLE, () -> fixture.signIn.start("/"));
        }
        assertThat(provider.asked(DISCOVERY)).isEqualTo(1);
        fixture.clock.advance(Duration.ofSeconds(11));
        assertRefused(OidcRejection.OidcRejectionReason.PROVIDER_UNAVAILABLE, () -> fixture.signIn.start("/"));
        assertThat(provider.asked(DISCOVERY)).isEqualTo(2);
    }

    @Test
    void redirectsHugeResponsesAndInvalidDiscoveryDocumentsAreRejected() {
        List<ScriptedServer.Script> bad = List.of(
                ScriptedServer.answering(302, "text/html", "", "Location: https://evil.example/"),
                ScriptedServer.answering(200, "application/json", "{\"issuer\":\"" + "x".repeat(300_000) + "\"}"),
                ScriptedServer.answering(200, "text/html", "<html>"),
                ScriptedServer.answering(200, "application/json", "[]"),
                ScriptedServer.answering(200, "application/json", "[".repeat(100_000)),
                ScriptedServer.answering(200, "application/json", "{\"issuer\":\"https://evil.example\"}"),
                ScriptedServer.answering(200, "application/json", "{\"issuer\":\"" + provider.issuer() + "\"}"));
        for (ScriptedServer.Script script : bad) {
            provider.instead(DISCOVERY, script);
            assertRefused(OidcRejection.OidcRejectionReason.PROVIDER_UNAVAILABLE, () -> fixture.signIn.start("/"));
            fixture.clock.advance(Duration.ofSeconds(11));
        }
    }

    @Test
    void theDiscoveryDocumentOpensNoOtherPrivateHost() throws IOException {
        fixture.user("ada@acme.example");
        provider.person("adas", "ada@acme.example", true);
        try (var inner = new ScriptedServer(ScriptedServer.answering(200, "application/json", "{}"))) {
            provider.discovery = document -> {
                document.put("token_endpoint", inner.url("/token"));
                return document;
            };
            assertRefused(OidcRejection.OidcRejectionReason.PROVIDER_UNAVAILABLE, fixture::enter);
            assertThat(inner.connections()).isZero();
        }
    }

    @Test
    void theSecretGoesIntoTheBodyWhereTheProviderWantsIt() {
        fixture.user("ada@acme.example");
        provider.person("adas", "ada@acme.example", true);
        provider.discovery = document -> {
            document.put("token_endpoint_auth_methods_supported", List.of("client_secret_post"));
            return document;
        };
        fixture.enter();
    }

    private List<String> role(OrganizationId organization, UserId user) {
        return fixture.database.with(handle -> handle.createQuery(
                        "SELECT role FROM membership WHERE organization_id = :organization AND user_id = :user")
                .bind("organization", organization)
                .bind("user", user)
                .mapTo(String.class)
                .list());
    }

    private static Map<String, String> plus(Map<String, String> back, String name, String value) {
        Map<String, String> more = new java.util.HashMap<>(back);
        more.put(name, value);
        return more;
    }

    static void assertRefused(OidcRejection.OidcRejectionReason why, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(OidcRejection.class, refused -> assertThat(refused.reason())
                .isEqualTo(why));
    }
}
