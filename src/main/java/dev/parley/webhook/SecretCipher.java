package dev.parley.webhook;

import dev.parley.db.AeadCipher;
import dev.parley.db.MasterKey;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;

/**
 * Encrypts signing secrets for the database, bound to their organization: who reads the database cannot sign, and who
 * writes it cannot give one organization's secret to another.
 */
@Singleton
public final class SecretCipher {
    private final AeadCipher cipher;

    public SecretCipher(MasterKey secret) {
        this.cipher = secret.seal("webhook-secret");
    }

    byte[] encrypt(OrganizationId organization, SigningSecret secret) {
        return cipher.seal(secret.key(), organization.text());
    }

    SigningSecret decrypt(OrganizationId organization, byte[] stored) {
        return new SigningSecret(cipher.openBytes(stored, organization.text()));
    }
}
