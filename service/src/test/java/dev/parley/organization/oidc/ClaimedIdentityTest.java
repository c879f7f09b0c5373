package dev.parley.organization.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.UserId;
import dev.parley.organization.oidc.OidcRejection.OidcRejectionReason;
import dev.parley.settings.Setting;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attacks on a linked account by other users of the provider, by foreign tenants and by another provider. */
class ClaimedIdentityTest {
    private static final String ADA = "ada@acme.example";
    private static final String EVE = "eve@acme.example";

    private SignInFixture fixture;
    private TestProvider provider;
    private UserId ada;
    private UserId eve;

    @BeforeEach
    void start() throws IOException {
        fixture = new SignInFixture();
        fixture.with(Map.of(Setting.PARLEY_OIDC_TRUSTED_DOMAINS, "acme.example"));
        provider = fixture.provider;
        ada = fixture.user(ADA);
        eve = fixture.user(EVE);
    }

    @AfterEach
    void stop() throws IOException {
        fixture.close();
    }

    /** The claims of a provider: in the ID token, and from userinfo. */
    record Dialect(Map<String, Object> idToken, Map<String, Object> userInfo) {
        void send(TestProvider provider, String subject, String email) {
            provider.person = filled(idToken, subject, email);
            provider.userInfo = filled(userInfo, subject, email);
        }

        private static Map<String, Object> filled(Map<String, Object> claims, String subject, String email) {
            Map<String, Object> filled = new HashMap<>(claims);
            filled.replaceAll((_, value) -> value.equals("<email>") ? email : value);
            filled.put("sub", subject);
            return filled;
        }
    }

    static Stream<Named<Dialect>> dialects() {
        Map<String, Object> name = Map.of("name", "Ada Lovelace");
        Map<String, Object> verified = Map.of("email", "<email>", "email_verified", true);
        return Stream.of(
                Named.of("Entra ID", new Dialect(Map.of("tid", "t", "email", "<email>"), name)),
                Named.of(
                        "Entra ID, xms_edov", new Dialect(Map.of("tid", "t", "email", "<email>", "xms_edov", 1), name)),
                Named.of("Entra ID, user name", new Dialect(Map.of("tid", "t", "preferred_username", "<email>"), name)),
                Named.of("Okta", new Dialect(Map.of("idp", "00ok1u7AsAkrwdZL3z0g"), verified)),
                Named.of(
                        "Google",
                        new Dialect(
                                Map.of("email", "<email>", "email_verified", true, "hd", "acme.example"), verified)),
                Named.of(
                        "Keycloak",
                        new Dialect(Map.of("email", "<email>", "email_verified", true, "typ", "ID"), verified)));
    }

    private void assertRefused(OidcRejectionReason reason) {
        OidcSignInTest.assertRefused(reason, fixture::enter);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void aLinkedAccountOpensForItsSubjectOnly(Dialect dialect) {
        dialect.send(provider, "adas", ADA);
        assertThat(fixture.enter().id()).isEqualTo(ada);
        for (String subject : List.of("eves", "Adas", "adas2", "ada")) {
            dialect.send(provider, subject, ADA);
            assertRefused(OidcRejectionReason.OTHER_ACCOUNT);
            dialect.send(provider, subject, "ADA@Acme.example");
            assertRefused(OidcRejectionReason.OTHER_ACCOUNT);
        }
        dialect.send(provider, "eves", EVE);
        assertThat(fixture.enter().id()).isEqualTo(eve);
        dialect.send(provider, "eves", ADA);
        assertThat(fixture.enter().id()).isEqualTo(eve);
        dialect.send(provider, "adas", EVE);
        assertThat(fixture.enter().id()).isEqualTo(ada);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void aTokenOfAForeignTenantOpensNothing(Dialect dialect) {
        for (boolean isLinked : List.of(false, true)) {
            dialect.send(provider, "adas", ADA);
            for (String foreign : List.of("/foreign/v2.0", "/../foreign", "//", "?tenant=foreign")) {
                provider.claims = token -> token.issuer(provider.issuer() + foreign);
                assertRefused(OidcRejectionReason.NOT_TRUSTED);
            }
            provider.claims = token -> token.issuer("https://sts.windows.net/foreign/");
            assertRefused(OidcRejectionReason.NOT_TRUSTED);
            provider.claims = token -> token.audience("the client of a foreign tenant");
            assertRefused(OidcRejectionReason.NOT_TRUSTED);
            provider.claims = honest -> honest;
            assertThat(isLinked || fixture.enter().id().equals(ada)).isTrue();
        }
    }

    @ParameterizedTest
    @Tag("all")
    @MethodSource("dialects")
    void theSameSubjectAtAnotherIssuerIsAnotherUser(Dialect dialect) throws IOException {
        dialect.send(provider, "1", ADA);
        assertThat(fixture.enter().id()).isEqualTo(ada);
        try (var second = new TestProvider()) {
            fixture.with(Map.of(
                    Setting.PARLEY_OIDC_ISSUER, second.issuer(), Setting.PARLEY_OIDC_TRUSTED_DOMAINS, "acme.example"));
            second.userInfo = Map.of("sub", "1");
            second.person = Map.of("sub", "1");
            OidcSignInTest.assertRefused(OidcRejectionReason.EMAIL_NOT_VERIFIED, () -> fixture.enter(second));
            second.person("1", "stranger@evil.example", true);
            OidcSignInTest.assertRefused(OidcRejectionReason.NOT_INVITED, () -> fixture.enter(second));
            second.person("1", ADA, false);
            OidcSignInTest.assertRefused(OidcRejectionReason.EMAIL_NOT_VERIFIED, () -> fixture.enter(second));
            dialect.send(second, "1", EVE);
            assertThat(fixture.enter(second).id()).isEqualTo(eve);
        }
        fixture.with(Map.of());
        assertThat(fixture.enter().id()).isEqualTo(ada);
    }
}
