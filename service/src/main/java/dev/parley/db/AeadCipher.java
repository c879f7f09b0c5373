package dev.parley.db;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts secrets that must be read again, such as credentials and links with tokens: AES-256-GCM under the key of one
 * purpose ({@link MasterKey#cipher}). Access to the database alone does not reveal them.
 */
public final class AeadCipher {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKeySpec key;

    /** @param key of 32 bytes */
    public AeadCipher(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
    }

    /**
     * Encrypts a text.
     *
     * @param about its context, such as a row's id. Decryption requires the same context, so that encrypted texts
     *     cannot be swapped between rows
     */
    public byte[] encrypt(String text, String about) {
        return encrypt(text.getBytes(StandardCharsets.UTF_8), about);
    }

    /** The same for bytes. */
    public byte[] encrypt(byte[] secret, String about) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            byte[] encrypted = cipher(Cipher.ENCRYPT_MODE, nonce, about).doFinal(secret);
            return ByteBuffer.allocate(nonce.length + encrypted.length)
                    .put(nonce)
                    .put(encrypted)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Decrypts a text of {@link #encrypt(String, String)}; throws IllegalStateException if it was modified or belongs to another context.
     */
    public String decrypt(byte[] encrypted, String about) {
        return new String(decryptBytes(encrypted, about), StandardCharsets.UTF_8);
    }

    /** The same for bytes. */
    public byte[] decryptBytes(byte[] encrypted, String about) {
        if (encrypted.length < NONCE_BYTES) {
            throw new IllegalStateException("Not an encrypted text.");
        }
        try {
            return cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(encrypted, NONCE_BYTES), about)
                    .doFinal(encrypted, NONCE_BYTES, encrypted.length - NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The encrypted text was modified or belongs to another context.", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String about) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(about.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
