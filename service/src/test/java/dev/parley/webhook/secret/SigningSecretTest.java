package dev.parley.webhook.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Verifies signatures with an independent implementation of Standard Webhooks. */
class SigningSecretTest {
    private static final String BODY = "{\"type\":\"message.created\",\"data\":{\"content\":\"Grüße\"}}";

    private static HttpHeaders headers(long time, SigningSecret... secrets) {
        String signature = SigningSecret.sign(List.of(secrets), "evt_1", time, BODY.getBytes(StandardCharsets.UTF_8));
        return HttpHeaders.of(
                Map.of(
                        "webhook-id", List.of("evt_1"),
                        "webhook-timestamp", List.of(Long.toString(time)),
                        "webhook-signature", List.of(signature)),
                (_, _) -> true);
    }

    private static long now() {
        return System.currentTimeMillis() / 1000;
    }

    @Test
    void eachOfTwoSecretsVerifiesDuringARotation() throws Exception {
        SigningSecret before = SigningSecret.generate();
        SigningSecret after = SigningSecret.generate();
        HttpHeaders both = headers(now(), after, before);
        new Webhook(before.text()).verify(BODY, both);
        new Webhook(after.text()).verify(BODY, both);
        assertThatThrownBy(() -> new Webhook(SigningSecret.generate().text()).verify(BODY, both))
                .isInstanceOf(Exception.class);
    }

    @Test
    void anotherBodyOrTimeDoesNotVerify() {
        SigningSecret secret = SigningSecret.generate();
        assertThatThrownBy(() -> new Webhook(secret.text()).verify(BODY + " ", headers(now(), secret)))
                .isInstanceOf(Exception.class);
        assertThatThrownBy(() -> new Webhook(secret.text()).verify(BODY, headers(now() - 3600, secret)))
                .isInstanceOf(Exception.class);
    }

    @Test
    void aSecretIsReadAsItIsWritten() {
        SigningSecret secret = SigningSecret.generate();
        assertThat(SigningSecret.parse(secret.text()).orElseThrow().key()).isEqualTo(secret.key());
        assertThat(secret.toString()).doesNotContain(secret.text());
        for (String bad :
                List.of("", "whsec_", "whsec_AAAA", "whsec_*", secret.text().substring(1))) {
            assertThat(SigningSecret.parse(bad)).as(bad).isEmpty();
        }
    }
}
