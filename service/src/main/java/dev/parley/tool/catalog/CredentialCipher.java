package dev.parley.tool.catalog;

import dev.parley.db.MasterKey;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.tool.source.ToolCredentials;
import jakarta.inject.Singleton;

/**
 * Encrypts credentials for the database, bound to one organization: a row copied to another organization cannot be
 * decrypted. Every row names its key; a new key encrypts new rows, and existing rows stay readable with theirs.
 */
@Singleton
public final class CredentialCipher {
    /** The key for encryption. */
    static final int CURRENT_KEY = 1;

    private final MasterKey masterKey;

    public CredentialCipher(MasterKey masterKey) {
        this.masterKey = masterKey;
    }

    /** @param key the key for decryption */
    @SuppressWarnings("ArrayRecordComponent") // stored as is, and never compared
    public record EncryptedCredentials(int key, byte[] bytes) {}

    public EncryptedCredentials encrypt(OrganizationId organization, ToolCredentials credentials) {
        return new EncryptedCredentials(
                CURRENT_KEY,
                masterKey.cipher(purpose(CURRENT_KEY)).encrypt(StrictJson.write(credentials), organization.text()));
    }

    /** @throws IllegalStateException if the row was modified or belongs to another organization */
    public ToolCredentials decrypt(OrganizationId organization, EncryptedCredentials encrypted) {
        String text = masterKey.cipher(purpose(encrypted.key())).decrypt(encrypted.bytes(), organization.text());
        return StrictJson.readTrusted(text, ToolCredentials.class);
    }

    private static String purpose(int key) {
        return "tool credentials " + key;
    }
}
