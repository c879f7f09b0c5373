package dev.parley.tool.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.ServiceResource;
import dev.parley.id.OrganizationId;
import dev.parley.tool.source.ToolCredentials;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class CredentialCipherTest {
    private static final ToolCredentials CREDENTIALS = new ToolCredentials(
            "token-of-ann", "ann", "password-of-ann", null, null, null, Map.of("X-Tenant", "tenant-7"));

    @Inject
    CredentialCipher cipher;

    private final OrganizationId organization = OrganizationId.next();

    @Test
    void decryptsItsOwnCiphertext() {
        assertThat(cipher.decrypt(organization, cipher.encrypt(organization, CREDENTIALS)))
                .isEqualTo(CREDENTIALS);
    }

    @Test
    void theStoredFormRevealsNothing() {
        byte[] stored = cipher.encrypt(organization, CREDENTIALS).bytes();

        assertThat(new String(stored, StandardCharsets.ISO_8859_1)).doesNotContain("ann", "tenant");
        assertThat(cipher.encrypt(organization, CREDENTIALS).bytes()).isNotEqualTo(stored);
        assertThat(CREDENTIALS.toString()).doesNotContain("of-ann", "tenant-7");
    }

    @Test
    void anotherOrganizationCannotOpenIt() {
        CredentialCipher.EncryptedCredentials encrypted = cipher.encrypt(organization, CREDENTIALS);

        assertThatThrownBy(() -> cipher.decrypt(OrganizationId.next(), encrypted))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void modifiedRowsAreRejected() {
        CredentialCipher.EncryptedCredentials encrypted = cipher.encrypt(organization, CREDENTIALS);
        encrypted.bytes()[20] ^= 1;

        assertThatThrownBy(() -> cipher.decrypt(organization, encrypted)).isInstanceOf(IllegalStateException.class);
    }
}
