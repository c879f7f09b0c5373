package dev.parley.webhook.secret;

import dev.parley.db.AeadCipher;
import dev.parley.db.MasterKey;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;

/**
 * Encrypts signing secrets for the database (AES-256-GCM under a key derived from the installation's master key), bound to
 * their organization: read access to the database does not allow signing, and write access does not allow moving a
 * secret to another organization.
 */
@Singleton
public final class SecretCipher {
    private final AeadCipher cipher;

    public SecretCipher(MasterKey masterKey) {
        this.cipher = masterKey.cipher("webhook-secret");
    }

    public byte[] encrypt(OrganizationId organization, SigningSecret secret) {
        return cipher.encrypt(secret.key(), organization.text());
    }

    public SigningSecret decrypt(OrganizationId organization, byte[] stored) {
        return new SigningSecret(cipher.decryptBytes(stored, organization.text()));
    }
}
