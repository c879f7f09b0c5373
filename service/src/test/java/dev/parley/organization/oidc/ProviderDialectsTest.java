package dev.parley.organization.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.parley.egress.ScriptedServer;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.oidc.OidcRejection.OidcRejectionReason;
import dev.parley.settings.Setting;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Providers as people run them: what each sends, and that its users can sign in (docs/guides/sign-in.md). */
class ProviderDialectsTest {
    private static final String ADA = "ada@acme.example";

    private SignInFixture fixture;
    private TestProvider provider;
    private UserId ada;

    @BeforeEach
    void start() throws IOException {
        fixture = new SignInFixture();
        provider = fixture.provider;
        ada = fixture.user(ADA);
    }

    @AfterEach
    void stop() throws IOException {
        fixture.close();
    }

    static Stream<Named<Consumer<TestProvider>>> dialects() {
        return Stream.of(
                dialect(
                        "Entra ID with xms_edov",
                        provider -> provider.person = entra(Map.of("email", ADA, "xms_edov", true))),
                dialect(
                        "Entra ID with xms_edov as text",
                        provider -> provider.person = entra(Map.of("email", ADA, "xms_edov", "true"))),
                dialect(
                        "Entra ID with xms_edov as number",
                        provider -> provider.person = entra(Map.of("email", ADA, "xms_edov", 1))),
                dialect(
                        "Entra ID with xms_edov as text of a number",
                        provider -> provider.person = entra(Map.of("email", ADA, "xms_edov", "1"))),
                dialect(
                        "Entra ID with verified_primary_email",
                        provider -> provider.person =
                                entra(Map.of("email", ADA, "verified_primary_email", List.of("Ada@acme.example")))),
                dialect("Okta with a thin ID token", provider -> {
                    provider.person =
                            Map.of("sub", "00uid4BxXw6I6TV4m0g3", "name", "Ada", "idp", "00ok1u7AsAkrwdZL3z0g");
                    provider.userInfo = Map.of("sub", "00uid4BxXw6I6TV4m0g3", "email", ADA, "email_verified", true);
                }),
                dialect("Okta with the address in both", provider -> {
                    provider.person = Map.of("sub", "00u1", "email", "Ada@Acme.example");
                    provider.userInfo = Map.of("sub", "00u1", "email", ADA, "email_verified", true);
                }),
                dialect("Google", provider -> {
                    provider.person = Map.of(
                            "sub", "1067", "email", ADA, "email_verified", true, "hd", "acme.example", "at_hash", "x");
                    provider.claims = token -> token.claim("azp", TestProvider.CLIENT);
                }),
                dialect("Keycloak", provider -> {
                    provider.person =
                            Map.of("sub", "f:1:ada", "email", ADA, "email_verified", true, "preferred_username", "ada");
                    provider.claims = token -> token.audience(List.of(TestProvider.CLIENT, "account"))
                            .claim("azp", TestProvider.CLIENT);
                }),
                dialect("Keycloak with ES256", provider -> {
                    provider.person("f:1:ada", ADA, true);
                    provider.sign = claims -> TestProvider.signed(TestProvider.EC_KEY, claims);
                }),
                dialect("Auth0, whose issuer ends with a slash", provider -> {
                    provider.person("auth0|1", ADA, true);
                    provider.discovery = changed(Map.of("issuer", provider.issuer() + "/"));
                    provider.claims = token -> token.issuer(provider.issuer() + "/");
                }),
                dialect("Cognito, which writes booleans as text", provider -> {
                    provider.person = Map.of("sub", "c-1", "cognito:username", "c-1");
                    provider.userInfo = Map.of("sub", "c-1", "email", ADA, "email_verified", "true");
                }),
                dialect("PingFederate, with the secret in the body and without the scope 'profile'", provider -> {
                    provider.person("ping", ADA, true);
                    provider.discovery = changed(Map.of(
                            "token_endpoint_auth_methods_supported", List.of("client_secret_post"),
                            "scopes_supported", List.of("openid", "email")));
                }),
                dialect("GitLab, whose subject is a number in the userinfo response", provider -> {
                    provider.person = Map.of("sub", "42");
                    provider.userInfo = Map.of("sub", 42, "email", ADA, "email_verified", true, "groups", List.of("a"));
                }),
                dialect("Zitadel, with many audiences", provider -> {
                    provider.person("zitadel", ADA, true);
                    provider.claims = token -> token.audience(List.of("1@acme", TestProvider.CLIENT, "7"))
                            .claim("azp", TestProvider.CLIENT);
                }),
                dialect("One that repeats the audience", provider -> {
                    provider.person("repeated", ADA, true);
                    provider.claims = token -> token.audience(List.of(TestProvider.CLIENT, TestProvider.CLIENT));
                }),
                dialect(
                        "One with a list of one address",
                        provider -> provider.person =
                                Map.of("sub", "listed", "email", List.of(ADA), "email_verified", true)));
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void aUserSignsInAndIsKnownBySubjectFromThenOn(Consumer<TestProvider> dialect) {
        dialect.accept(provider);
        assertThat(fixture.enter().id()).isEqualTo(ada);
        long asked = provider.asked("/userinfo");
        assertThat(fixture.enter().id()).isEqualTo(ada);
        assertThat(provider.asked("/userinfo")).isEqualTo(asked);
    }

    static Stream<Named<Consumer<TestProvider>>> withoutStatement() {
        return Stream.of(
                dialect("Entra ID", provider -> {
                    provider.person = entra(Map.of("email", ADA, "acct", 0));
                    provider.userInfo = Map.of("sub", "AAAAADvK", "name", "Ada", "email", ADA);
                }),
                dialect("Entra ID without address", provider -> {
                    provider.person = entra(Map.of("preferred_username", "Ada@acme.example"));
                    provider.tokenResponse = Map.of("scope", "openid profile email User.Read");
                }),
                dialect("Entra ID that names the tenant of the user", provider -> {
                    provider.person = entra(Map.of("email", ADA, "idp", "https://sts.windows.net/9122040d/"));
                    provider.userInfo = Map.of("sub", "AAAAADvK", "picture", "https://graph.microsoft.com/photo");
                }),
                dialect("AD FS", provider -> {
                    provider.person = Map.of("sub", "OuEmiRM=", "upn", ADA, "unique_name", "ACME\\ada");
                    provider.userInfo = Map.of("sub", "OuEmiRM=");
                }),
                dialect("an empty statement", provider -> {
                    Map<String, Object> person = new HashMap<>(Map.of("sub", "empty", "email", ADA));
                    person.put("email_verified", null);
                    provider.person = person;
                }));
    }

    @ParameterizedTest
    @MethodSource("withoutStatement")
    void anAddressWithoutStatementCountsOnlyInATrustedDomain(Consumer<TestProvider> dialect) {
        dialect.accept(provider);
        OidcSignInTest.assertRefused(OidcRejectionReason.EMAIL_NOT_VERIFIED, fixture::enter);
        trust("sub.acme.example, example, acme.org");
        OidcSignInTest.assertRefused(OidcRejectionReason.EMAIL_NOT_VERIFIED, fixture::enter);
        trust("acme.org, ACME.example");
        assertThat(fixture.enter().id()).isEqualTo(ada);
        fixture.with(Map.of());
        assertThat(fixture.enter().id()).isEqualTo(ada);
    }

    static Stream<Named<Consumer<TestProvider>>> failingUserInfo() {
        return Stream.of(
                dialect("busy", answering(503, "text/html", "busy")),
                dialect("broken", answering(500, "application/json", "{}")),
                dialect("forbidden", answering(403, "text/html", "no")),
                dialect("not found", answering(404, "text/html", "no")),
                dialect("throttled", answering(429, "application/json", "{}")),
                dialect("a redirect", answering(302, "text/html", "")),
                dialect("a page", answering(200, "text/html", "<html>")),
                dialect("no object", answering(200, "application/json", "[]")),
                dialect(
                        "cut",
                        provider -> provider.instead("/userinfo", (_, _) -> {
                            throw new IOException("cut");
                        })),
                dialect(
                        "an unusable URL",
                        provider -> provider.discovery = changed(Map.of("userinfo_endpoint", "ftp://acme.example/me"))),
                dialect(
                        "another private host",
                        provider -> provider.discovery = changed(Map.of("userinfo_endpoint", "http://10.0.0.1/me"))));
    }

    private static Consumer<TestProvider> answering(int status, String type, String body) {
        return provider -> provider.instead("/userinfo", ScriptedServer.answering(status, type, body));
    }

    @ParameterizedTest
    @Tag("all")
    @MethodSource("failingUserInfo")
    void aUserinfoEndpointThatDoesNotRespondMightDenyTheAddress(Consumer<TestProvider> failure) {
        trust("acme.example");
        provider.userInfo = Map.of("sub", "AAAAADvK", "name", "Ada");
        failure.accept(provider);
        provider.person = entra(Map.of("email", ADA));
        OidcSignInTest.assertRefused(OidcRejectionReason.PROVIDER_UNAVAILABLE, fixture::enter);
        provider.person = entra(Map.of("preferred_username", ADA));
        OidcSignInTest.assertRefused(OidcRejectionReason.PROVIDER_UNAVAILABLE, fixture::enter);
        provider.person = entra(Map.of("email", ADA, "xms_edov", false));
        OidcSignInTest.assertRefused(OidcRejectionReason.EMAIL_NOT_VERIFIED, fixture::enter);
        provider.person = entra(Map.of("email", ADA, "xms_edov", true));
        assertThat(fixture.enter().id()).isEqualTo(ada);
        provider.person = entra(Map.of("email", ADA));
        assertThat(fixture.enter().id()).isEqualTo(ada);
    }

    @Test
    void aProviderWithoutAccessTokenMightDenyTheAddress() {
        trust("acme.example");
        provider.userInfo = Map.of("sub", "AAAAADvK");
        provider.person = entra(Map.of("email", ADA));
        provider.sendsAccessToken = false;
        OidcSignInTest.assertRefused(OidcRejectionReason.PROVIDER_UNAVAILABLE, fixture::enter);
        provider.sendsAccessToken = true;
        assertThat(fixture.enter().id()).isEqualTo(ada);
    }

    static Stream<Named<Consumer<TestProvider>>> attacks() {
        return Stream.of(
                dialect("not verified", provider -> provider.person("eve", ADA, false)),
                dialect(
                        "not verified, as text",
                        provider -> provider.person = Map.of("sub", "eve", "email", ADA, "email_verified", "false")),
                dialect(
                        "a statement that is none",
                        provider ->
                                provider.person = Map.of("sub", "eve", "email", ADA, "email_verified", List.of(true))),
                dialect(
                        "another text",
                        provider -> provider.person = Map.of("sub", "eve", "email", ADA, "email_verified", "yes")),
                dialect(
                        "Entra ID says that the domain is not verified",
                        provider -> provider.person = entra(Map.of("email", ADA, "xms_edov", false))),
                dialect(
                        "two statements",
                        provider -> provider.person =
                                Map.of("sub", "eve", "email", ADA, "email_verified", true, "xms_edov", "0")),
                dialect("not verified according to userinfo", provider -> {
                    provider.person = Map.of("sub", "eve", "email", ADA);
                    provider.userInfo = Map.of("sub", "eve", "email", ADA, "email_verified", false);
                }),
                dialect("another address in userinfo", provider -> {
                    provider.person = Map.of("sub", "eve", "email", ADA);
                    provider.userInfo = Map.of("sub", "eve", "email", "eve@evil.example", "email_verified", true);
                }),
                dialect("a statement about another address", provider -> {
                    provider.person = Map.of("sub", "eve", "email", "eve@evil.example", "preferred_username", ADA);
                    provider.userInfo = Map.of("sub", "eve", "email", ADA, "email_verified", true);
                }),
                dialect(
                        "a verified address beside a chosen name",
                        provider -> provider.person =
                                Map.of("sub", "eve", "email", "eve@evil.example", "email_verified", true, "upn", ADA)),
                dialect(
                        "an unusable address beside a chosen name",
                        provider -> provider.person = Map.of("sub", "eve", "email", "eve", "preferred_username", ADA)),
                dialect("a chosen name, with the scope 'email' removed", provider -> {
                    provider.person = Map.of("sub", "eve", "preferred_username", ADA);
                    provider.tokenResponse = Map.of("scope", "openid profile");
                }),
                dialect("an address, with the scope 'email' removed", provider -> {
                    provider.person = Map.of("sub", "eve", "email", ADA);
                    provider.tokenResponse = Map.of("scope", "openid,profile");
                }),
                dialect(
                        "an address that is not among the verified ones",
                        provider -> provider.person = entra(Map.of(
                                "email",
                                ADA,
                                "verified_primary_email",
                                List.of(),
                                "verified_secondary_email",
                                List.of("eve@acme.example")))),
                dialect(
                        "a guest of the tenant",
                        provider -> provider.person =
                                entra(Map.of("email", ADA, "idp", "https://sts.windows.net/another/"))),
                dialect(
                        "a guest of the tenant, by acct",
                        provider -> provider.person = entra(Map.of("preferred_username", ADA, "acct", 1))),
                dialect(
                        "another primary address",
                        provider -> provider.person = Map.of(
                                "sub", "eve", "email", "ada@acme.example.", "verified_primary_email", List.of(ADA))),
                dialect(
                        "two addresses",
                        provider -> provider.person = Map.of(
                                "sub", "eve", "email", List.of(ADA, "eve@evil.example"), "email_verified", true)),
                dialect(
                        "a display name",
                        provider -> provider.person =
                                Map.of("sub", "eve", "email", "Ada <ada@acme.example>", "email_verified", true)),
                dialect(
                        "a letter that looks alike",
                        provider -> provider.person =
                                Map.of("sub", "eve", "email", "\u0430da@acme.example", "email_verified", true)),
                dialect(
                        "a wide letter in the domain",
                        provider -> provider.person =
                                Map.of("sub", "eve", "email", "ada@\uff41cme.example", "email_verified", true)),
                dialect(
                        "a Kelvin sign in the domain",
                        provider -> provider.person =
                                Map.of("sub", "eve", "email", "ada@acme.example\u212a", "email_verified", true)));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void aClaimedAddressOpensNoAccount(Consumer<TestProvider> attack) {
        trust("acme.example");
        attack.accept(provider);
        try {
            assertThat(fixture.enter().id()).isNotEqualTo(ada);
        } catch (OidcRejection refused) {
            assertThat(refused.reason()).isIn(OidcRejectionReason.EMAIL_NOT_VERIFIED, OidcRejectionReason.NOT_INVITED);
        }
        provider.person("adas", ADA, true);
        provider.userInfo = Map.of();
        assertThat(fixture.enter().id()).isEqualTo(ada);
    }

    @ParameterizedTest
    @Tag("all")
    @MethodSource("attacks")
    void aClaimedAddressRegistersNobody(Consumer<TestProvider> attack) {
        OrganizationId acme = fixture.organization(fixture.user("owner@acme.org"));
        fixture.database.change(handle -> handle.execute("DELETE FROM app_user WHERE id = ?", ada.value()));
        fixture.with(Map.of(
                Setting.PARLEY_OIDC_TRUSTED_DOMAINS, "acme.example",
                Setting.PARLEY_OIDC_DOMAINS, "acme.example",
                Setting.PARLEY_OIDC_ORGANIZATION, acme.text()));
        attack.accept(provider);
        assertThatThrownBy(fixture::enter).isInstanceOf(OidcRejection.class);
        assertThat(fixture.users()).isEqualTo(1);
    }

    @Test
    void aTrustedAddressOpensAnAccountOnlyForItsFirstSubject() {
        trust("acme.example");
        provider.person = Map.of("sub", "adas", "email", ADA);
        fixture.enter();
        provider.person = Map.of("sub", "eves", "email", "ADA@acme.example");
        OidcSignInTest.assertRefused(OidcRejectionReason.OTHER_ACCOUNT, fixture::enter);
        UserId bob = fixture.user("bob@acme.example");
        provider.person = Map.of("sub", "adas", "email", "bob@acme.example");
        assertThat(fixture.enter().id()).isEqualTo(ada).isNotEqualTo(bob);
    }

    @Test
    void aTrustedAddressIsNotThatOfAnInvitationToAnother() {
        fixture.unproven(fixture.organization(ada), "bob@acme.example", Optional.empty());
        trust("acme.example");
        provider.person = Map.of("sub", "eves", "email", "eve@acme.example");
        OidcSignInTest.assertRefused(OidcRejectionReason.NOT_INVITED, fixture::enter);
    }

    @Test
    void aUserinfoResponseAboutAnotherSubjectIsRejected() {
        provider.person = Map.of("sub", "eve");
        provider.userInfo = Map.of("sub", "adas", "email", ADA, "email_verified", true);
        OidcSignInTest.assertRefused(OidcRejectionReason.NOT_TRUSTED, fixture::enter);
        provider.userInfo = Map.of("email", ADA, "email_verified", true);
        OidcSignInTest.assertRefused(OidcRejectionReason.NOT_TRUSTED, fixture::enter);
    }

    @Test
    void aSignedUserinfoResponseIsVerified() {
        provider.person = Map.of("sub", "ping");
        provider.userInfo = Map.of("sub", "ping");
        var claims = new JWTClaimsSet.Builder()
                .subject("ping")
                .issuer(provider.issuer())
                .audience(TestProvider.CLIENT)
                .claim("email", ADA)
                .claim("email_verified", true);
        String foreign = TestProvider.signed(TestProvider.NEXT_KEY, claims.build());
        provider.instead("/userinfo", ScriptedServer.answering(200, "application/jwt", foreign));
        OidcSignInTest.assertRefused(OidcRejectionReason.NOT_TRUSTED, fixture::enter);
        String forAnother = TestProvider.signed(
                TestProvider.KEY,
                new JWTClaimsSet.Builder(claims.build()).audience("another").build());
        provider.instead("/userinfo", ScriptedServer.answering(200, "application/jwt", forAnother));
        OidcSignInTest.assertRefused(OidcRejectionReason.NOT_TRUSTED, fixture::enter);
        String own = TestProvider.signed(TestProvider.KEY, claims.build());
        provider.instead("/userinfo", ScriptedServer.answering(200, "application/jwt;charset=utf-8", own));
        assertThat(fixture.enter().id()).isEqualTo(ada);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/{tenantid}/v2.0", "https://evil.example", ""})
    void anotherIssuerInTheDiscoveryDocumentIsRejected(String issuer) {
        provider.discovery = changed(Map.of("issuer", issuer.startsWith("/") ? provider.issuer() + issuer : issuer));
        OidcSignInTest.assertRefused(OidcRejectionReason.PROVIDER_UNAVAILABLE, fixture::enter);
    }

    @Test
    void credentialsWithSpecialCharactersGoIntoTheBodyIfTheProviderOffersIt() {
        provider.person("adas", ADA, true);
        provider.discovery = changed(Map.of(
                "token_endpoint_auth_methods_supported",
                List.of("client_secret_basic", "private_key_jwt", "client_secret_post")));
        fixture.enter();
        assertThat(provider.lastRequest("/token").header("Authorization")).isEmpty();
        provider.discovery = changed(Map.of("token_endpoint_auth_methods_supported", List.of("client_secret_basic")));
        fixture.with(Map.of());
        fixture.enter();
        assertThat(provider.lastRequest("/token").header("Authorization")).startsWith("Basic ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"login_required", "consent_required", "interaction_required", "user_cancelled_authorize"})
    void aUserWhoDoesNotFinishAtTheProviderHasCancelled(String error) {
        OidcSignIn.StartedSignIn begun = fixture.signIn.start("/");
        String state = provider.authorize(begun.url()).get("state");
        OidcSignInTest.assertRefused(
                OidcRejectionReason.CANCELLED, () -> fixture.end(begun, Map.of("error", error, "state", state)));
    }

    @Test
    void theGivenAndFamilyNameMakeAName() {
        fixture.unproven(fixture.organization(ada), "bob@acme.example", Optional.empty());
        provider.person = Map.of("sub", "bob", "given_name", "Bob", "family_name", "Low");
        provider.userInfo = Map.of("sub", "bob", "email", "bob@acme.example", "email_verified", "True");
        assertThat(fixture.enter().name()).isEqualTo("Bob Low");
    }

    @Test
    void googleAnswersOnlyForItsOwnAddresses() {
        var google = new AddressVerification("https://accounts.google.com", List.of("acme.example"));
        assertThat(google.verifiedAddress(tokens(Map.of("email", "a@gmail.com", "email_verified", true)), Map.of()))
                .isEqualTo("a@gmail.com");
        assertThat(google.verifiedAddress(
                        tokens(Map.of("email", ADA, "email_verified", true, "hd", "acme.example")), Map.of()))
                .isEqualTo(ADA);
        assertThat(google.verifiedAddress(tokens(Map.of("email", ADA, "hd", "acme.example")), Map.of()))
                .isEqualTo(ADA);
        for (Map<String, Object> claims : List.<Map<String, Object>>of(
                Map.of("email", ADA, "email_verified", true),
                Map.of("email", ADA),
                Map.of("email", ADA, "hd", "evil.example"))) {
            OidcSignInTest.assertRefused(
                    OidcRejectionReason.EMAIL_NOT_VERIFIED, () -> google.verifiedAddress(tokens(claims), Map.of()));
        }
    }

    @Test
    void theUserNameOfActiveDirectoryIsAnAddressAlthoughAdFsGrantsNoScopeForIt() {
        var claims = Map.<String, Object>of("sub", "1", "upn", ADA);
        var tokens = new OidcTokens("https://adfs.acme.example/adfs", claims, "", false);
        assertThat(new AddressVerification(tokens.issuer(), List.of("acme.example")).verifiedAddress(tokens, Map.of()))
                .isEqualTo(ADA);
    }

    private void trust(String domains) {
        fixture.with(Map.of(Setting.PARLEY_OIDC_TRUSTED_DOMAINS, domains));
    }

    private static OidcTokens tokens(Map<String, Object> claims) {
        Map<String, Object> all = new HashMap<>(claims);
        all.put("sub", "1");
        return new OidcTokens("https://accounts.google.com", all, "", true);
    }

    private static Map<String, Object> entra(Map<String, Object> claims) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "sub", "AAAAADvK", "oid", "00000000-0000-0000-66f3-3332eca7ea81", "tid", "9122040d", "ver", "2.0"));
        all.put("name", "Ada Lovelace");
        all.putAll(claims);
        return all;
    }

    private static UnaryOperator<Map<String, Object>> changed(Map<String, Object> members) {
        return document -> {
            document.putAll(members);
            return document;
        };
    }

    private static Named<Consumer<TestProvider>> dialect(String name, Consumer<TestProvider> dialect) {
        return Named.of(name, dialect);
    }
}
