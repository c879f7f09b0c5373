package dev.parley.organization.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.egress.ScriptedServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and malicious ID tokens. */
class IdTokenValidatorTest {
    private SignInFixture fixture;
    private TestProvider provider;

    @BeforeEach
    void start() throws IOException {
        fixture = new SignInFixture();
        provider = fixture.provider;
        fixture.user("ada@acme.example");
        provider.person("adas", "ada@acme.example", true);
    }

    @AfterEach
    void stop() throws IOException {
        fixture.close();
    }

    static Stream<Named<UnaryOperator<JWTClaimsSet.Builder>>> badClaims() {
        Instant now = Instant.now();
        return Stream.of(
                claims("wrong nonce", token -> token.claim("nonce", "another")),
                claims("no nonce", token -> token.claim("nonce", null)),
                claims("wrong audience", token -> token.audience("another")),
                claims("no audience", token -> token.audience((String) null)),
                claims("several audiences", token -> token.audience(List.of(TestProvider.CLIENT, "another"))),
                claims("another party", token -> token.claim("azp", "another")),
                claims("another issuer", token -> token.issuer("https://evil.example")),
                claims("no issuer", token -> token.issuer(null)),
                claims("expired", token -> token.expirationTime(Date.from(now.minusSeconds(120)))),
                claims("never expires", token -> token.expirationTime(null)),
                claims("from the future", token -> token.issueTime(Date.from(now.plusSeconds(600)))),
                claims("no time of issue", token -> token.issueTime(null)),
                claims("not valid yet", token -> token.notBeforeTime(Date.from(now.plusSeconds(600)))),
                claims("no subject", token -> token.subject(null)),
                claims("endless subject", token -> token.subject("x".repeat(256))),
                claims("zero byte in the subject", token -> token.subject("a\0b")),
                claims("huge", token -> token.claim("filler", "x".repeat(110_000))));
    }

    @ParameterizedTest
    @MethodSource("badClaims")
    void aTokenThatIsNotMeantForThisSignInIsRefused(UnaryOperator<JWTClaimsSet.Builder> change) {
        provider.claims = change;
        OidcSignInTest.assertRefused(OidcRejection.OidcRejectionReason.NOT_TRUSTED, fixture::enter);
    }

    static Stream<Named<Function<JWTClaimsSet, String>>> forgeries() throws Exception {
        RSAKey foreign = new RSAKeyGenerator(2048).keyID("first").generate();
        byte[] publicKey = TestProvider.KEY.toRSAPublicKey().getEncoded();
        return Stream.of(
                forgery("alg none", claims -> new PlainJWT(claims).serialize()),
                forgery("alg none with a signature", claims -> new PlainJWT(claims).serialize() + "AAAA"),
                forgery("HS256 with the public key", claims -> signed(JWSAlgorithm.HS256, mac(publicKey), claims)),
                forgery(
                        "HS256 with the client's secret",
                        claims -> signed(
                                JWSAlgorithm.HS256,
                                mac("s: cret+s: cret+s: cret+s: cret+"
                                        .getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                                claims)),
                forgery("another key of the same name", claims -> TestProvider.signed(foreign, claims)),
                forgery(
                        "another type of token",
                        claims -> signed(
                                new JWSHeader.Builder(JWSAlgorithm.RS256)
                                        .type(new JOSEObjectType("at+jwt"))
                                        .build(),
                                rsa(TestProvider.KEY),
                                claims)),
                forgery("its own key in the header", claims -> selfMade(foreign, claims)),
                forgery("a changed body", claims -> changed(TestProvider.signed(TestProvider.KEY, claims))),
                forgery("no token", _ -> ""),
                forgery("nonsense", _ -> "a.b.c"),
                forgery("five parts", _ -> "a.b.c.d.e"));
    }

    @ParameterizedTest
    @MethodSource("forgeries")
    void aForgedTokenIsRefused(Function<JWTClaimsSet, String> forgery) {
        provider.sign = forgery;
        OidcSignInTest.assertRefused(OidcRejection.OidcRejectionReason.NOT_TRUSTED, fixture::enter);
    }

    @Test
    void tokensOfAnEllipticCurveAreGoodToo() {
        provider.sign = claims -> TestProvider.signed(TestProvider.EC_KEY, claims);
        assertThat(fixture.enter().email()).isEqualTo("ada@acme.example");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
    void tokensOfAnRsaKeyAreGoodWithEachAlgorithm(String algorithm) {
        provider.sign = claims -> signed(JWSAlgorithm.parse(algorithm), rsa(TestProvider.KEY), claims);
        fixture.enter();
    }

    @Test
    void aRefusedAlgorithmIsNamed() {
        provider.sign = claims -> signed(JWSAlgorithm.HS256, mac(new byte[32]), claims);
        assertThatThrownBy(fixture::enter).hasMessageContaining("'HS256'");
    }

    @Test
    void aTokenWithTheGroupsOfItsUserIsGood() {
        provider.claims = token -> token.claim("groups", "x".repeat(60_000));
        fixture.enter();
    }

    @Test
    void aClockThatIsThreeMinutesAheadIsAccepted() {
        Date ahead = Date.from(Instant.now().plusSeconds(180));
        provider.claims = token -> token.issueTime(ahead).notBeforeTime(ahead);
        fixture.enter();
    }

    static Stream<Named<List<? extends JWK>>> publishedKeys() throws JOSEException {
        RSAKey key = TestProvider.KEY;
        return Stream.of(
                Named.of(
                        "without id",
                        List.of(new RSAKey.Builder(key).keyID(null).build())),
                Named.of(
                        "without id, after another",
                        List.of(
                                new RSAKeyGenerator(2048).generate(),
                                new RSAKey.Builder(key).keyID(null).build())),
                Named.of(
                        "with algorithm and use",
                        List.of(new RSAKey.Builder(key)
                                .algorithm(JWSAlgorithm.RS256)
                                .keyUse(KeyUse.SIGNATURE)
                                .build())),
                Named.of(
                        "beside one for encryption of the same id",
                        List.of(
                                new RSAKeyGenerator(2048)
                                        .keyID("first")
                                        .keyUse(KeyUse.ENCRYPTION)
                                        .generate(),
                                key)));
    }

    @ParameterizedTest
    @MethodSource("publishedKeys")
    void aKeyIsFoundHoweverItIsPublished(List<? extends JWK> keys) {
        provider.published = keys;
        fixture.enter();
    }

    @Test
    void unreadableKeysLeaveTheOthersInUse() {
        String key = TestProvider.KEY.toPublicJWK().toJSONString();
        provider.instead("/keys", ScriptedServer.answering(200, "application/jwk-set+json", """
                {"keys":[{"kty":"AKP","alg":"ML-DSA-44","kid":"first","pub":"AA"},{"kid":"first"},7,{"kty":"EC","crv":"P-256","x":"AA","y":"AA"},\
                {"kty":"RSA","n":"","e":"AQAB","x5c":["?"]},%s]}""".formatted(key)));
        fixture.enter();
    }

    @Test
    void aTokenForSeveralClientsIsGoodWhenItsPartyIsThisOne() {
        provider.claims =
                token -> token.audience(List.of("another", TestProvider.CLIENT)).claim("azp", TestProvider.CLIENT);
        fixture.enter();
    }

    @Test
    void aNewKeyIsFetchedWhenATokenNamesItButNotForEachToken() {
        fixture.enter();
        fixture.enter();
        assertThat(provider.asked("/keys")).isEqualTo(1);
        fixture.clock.advance(Duration.ofSeconds(11));
        provider.sign = claims -> TestProvider.signed(TestProvider.NEXT_KEY, claims);
        OidcSignInTest.assertRefused(OidcRejection.OidcRejectionReason.NOT_TRUSTED, fixture::enter);
        OidcSignInTest.assertRefused(OidcRejection.OidcRejectionReason.NOT_TRUSTED, fixture::enter);
        assertThat(provider.asked("/keys")).isEqualTo(2);
        provider.published = List.of(TestProvider.NEXT_KEY);
        fixture.clock.advance(Duration.ofSeconds(11));
        fixture.enter();
        assertThat(provider.asked("/keys")).isEqualTo(3);
        provider.sign = claims -> TestProvider.signed(TestProvider.KEY, claims);
        fixture.clock.advance(Duration.ofSeconds(11));
        OidcSignInTest.assertRefused(OidcRejection.OidcRejectionReason.NOT_TRUSTED, fixture::enter);
    }

    @Test
    void aNewKeyIsFetchedWhenItHasTheIdOfTheOldOne() throws JOSEException {
        fixture.enter();
        RSAKey renewed = new RSAKeyGenerator(2048).keyID("first").generate();
        provider.published = List.of(renewed);
        provider.sign = claims -> TestProvider.signed(renewed, claims);
        fixture.clock.advance(Duration.ofSeconds(11));
        fixture.enter();
        assertThat(provider.asked("/keys")).isEqualTo(2);
    }

    @Test
    void aShortRsaKeySignsNothing() throws JOSEException {
        RSAKey weak = new RSAKeyGenerator(1024, true).keyID("first").generate();
        provider.published = List.of(weak);
        provider.sign = claims -> signed(JWSAlgorithm.RS256, rsa(weak), claims);
        OidcSignInTest.assertRefused(OidcRejection.OidcRejectionReason.NOT_TRUSTED, fixture::enter);
    }

    @Test
    void aKeyThatIsMeantForEncryptionSignsNothing() {
        provider.published = List.of(
                new RSAKey.Builder(TestProvider.KEY).keyUse(KeyUse.ENCRYPTION).build());
        OidcSignInTest.assertRefused(OidcRejection.OidcRejectionReason.NOT_TRUSTED, fixture::enter);
    }

    private static Named<UnaryOperator<JWTClaimsSet.Builder>> claims(
            String name, UnaryOperator<JWTClaimsSet.Builder> change) {
        return Named.of(name, change);
    }

    private static Named<Function<JWTClaimsSet, String>> forgery(String name, Function<JWTClaimsSet, String> sign) {
        return Named.of(name, sign);
    }

    private static String signed(JWSAlgorithm algorithm, JWSSigner signer, JWTClaimsSet claims) {
        return signed(new JWSHeader.Builder(algorithm).keyID("first").build(), signer, claims);
    }

    private static String selfMade(RSAKey key, JWTClaimsSet claims) {
        return signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256).jwk(key.toPublicJWK()).build(), rsa(key), claims);
    }

    private static String signed(JWSHeader header, JWSSigner signer, JWTClaimsSet claims) {
        try {
            var jwt = new SignedJWT(header, claims);
            jwt.sign(signer);
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JWSSigner rsa(RSAKey key) {
        try {
            return new RSASSASigner(key.toRSAPrivateKey(), Set.of(AllowWeakRSAKey.getInstance()));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JWSSigner mac(byte[] secret) {
        try {
            return new MACSigner(secret);
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String changed(String token) {
        String[] parts = token.split("\\.", -1);
        String body = com.nimbusds.jose.util.Base64URL.encode(new com.nimbusds.jose.util.Base64URL(parts[1])
                        .decodeToString()
                        .replace("ada@acme.example", "eve@acme.example"))
                .toString();
        return parts[0] + "." + body + "." + parts[2];
    }
}
