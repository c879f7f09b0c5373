package dev.parley.engine.restate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.engine.restate.RestateIdentity;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class RequestSignatureTest {
    private static final String PATH = "/invoke/ParleyInstance/start";
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Base64.Encoder BASE_64 = Base64.getUrlEncoder().withoutPadding();

    private final RestateIdentity identity = RestateIdentity.create();
    private final RequestSignature signature =
            new RequestSignature(identity.publicKey(), Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void aSignedRequestIsValidForItsPathAndTime() {
        String token = token(identity, PATH, NOW, NOW.plusSeconds(60));
        assertThat(signature.isValid(token, PATH)).isTrue();
        assertThat(signature.isValid(token, "/invoke/ParleyTask/run")).isFalse();
        assertThat(signature.isValid(token(identity, PATH, NOW.minusSeconds(300), NOW.minusSeconds(60)), PATH))
                .as("expired")
                .isFalse();
        assertThat(signature.isValid(token(identity, PATH, NOW.plusSeconds(60), NOW.plusSeconds(120)), PATH))
                .as("not valid yet")
                .isFalse();
    }

    @Test
    void anAlteredRequestIsRefused() {
        String[] parts = token(identity, PATH, NOW, NOW.plusSeconds(60)).split("\\.", -1);
        String longer = encoded(claims(PATH, NOW, NOW.plusSeconds(3_600)));
        assertThat(signature.isValid(parts[0] + "." + longer + "." + parts[2], PATH))
                .isFalse();
        assertThat(signature.isValid(parts[0] + "." + parts[1] + ".", PATH)).isFalse();
        assertThat(signature.isValid(parts[0] + "." + parts[1], PATH)).isFalse();
        assertThat(signature.isValid("x.y.z", PATH)).isFalse();
        assertThat(signature.isValid(null, PATH)).isFalse();
    }

    @Test
    void aRequestSignedWithAnOldKeyIsRefused() {
        RestateIdentity old = RestateIdentity.create();
        assertThat(signature.isValid(token(old, PATH, NOW, NOW.plusSeconds(60)), PATH))
                .isFalse();
        String claimsTheCurrentKey = signed(
                old, encoded(header(identity.publicKey())) + "." + encoded(claims(PATH, NOW, NOW.plusSeconds(60))));
        assertThat(signature.isValid(claimsTheCurrentKey, PATH)).isFalse();
    }

    @Test
    void aKeyThatRestateDidNotPrintIsRefused() {
        Clock clock = Clock.systemUTC();
        assertThatThrownBy(() -> new RequestSignature("ssh-ed25519 AAAA", clock))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RequestSignature("publickeyv1_0OIl", clock))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String token(RestateIdentity identity, String path, Instant from, Instant until) {
        return signed(identity, encoded(header(identity.publicKey())) + "." + encoded(claims(path, from, until)));
    }

    private static String header(String keyId) {
        return "{\"typ\":\"JWT\",\"alg\":\"EdDSA\",\"kid\":\"" + keyId + "\"}";
    }

    private static String claims(String path, Instant from, Instant until) {
        return "{\"aud\":\"" + path + "\",\"nbf\":" + from.getEpochSecond() + ",\"exp\":" + until.getEpochSecond()
                + "}";
    }

    private static String encoded(String json) {
        return BASE_64.encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String signed(RestateIdentity identity, String text) {
        try {
            Signature signer = Signature.getInstance("Ed25519");
            signer.initSign(identity.keys().getPrivate());
            signer.update(text.getBytes(StandardCharsets.US_ASCII));
            return text + "." + BASE_64.encodeToString(signer.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
