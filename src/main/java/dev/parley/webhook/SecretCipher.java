package dev.parley.webhook;

import dev.parley.db.MasterKey;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts signing secrets for the database (AES-256-GCM under a key derived from the installation's secret), bound to
 * their organization: read access to the database does not allow signing, and write access does not allow moving a
 * secret to another organization.
 */
@Singleton
public final class SecretCipher {
    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    public SecretCipher(MasterKey secret) {
        this.key = new SecretKeySpec(secret.key("webhook-secret"), "AES");
    }

    byte[] encrypt(OrganizationId organization, SigningSecret secret) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, organization, nonce, secret.key());
        return ByteBuffer.allocate(NONCE_BYTES + sealed.length)
                .put(nonce)
                .put(sealed)
                .array();
    }

    SigningSecret decrypt(OrganizationId organization, byte[] stored) {
        byte[] nonce = Arrays.copyOf(stored, NONCE_BYTES);
        byte[] sealed = Arrays.copyOfRange(stored, NONCE_BYTES, stored.length);
        return new SigningSecret(run(Cipher.DECRYPT_MODE, organization, nonce, sealed));
    }

    private byte[] run(int mode, OrganizationId organization, byte[] nonce, byte[] input) {
        try {
            Cipher cipher = Cipher.getInstance(ALGORITHM);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(organization.text().getBytes(StandardCharsets.US_ASCII));
            return cipher.doFinal(input);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
