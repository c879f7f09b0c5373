package dev.parley.tool;

import dev.parley.db.MasterKey;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;

/**
 * Seals credentials for the database, for one organization: a row that is copied to another organization opens for
 * nobody. Every row names its key; a later key seals what is written from then on, and the rows of older ones stay
 * readable.
 */
@Singleton
public final class CredentialSeal {
    /** The key that seals now. */
    static final int CURRENT_KEY = 1;

    private final MasterKey secret;

    public CredentialSeal(MasterKey secret) {
        this.secret = secret;
    }

    /** @param key which key opens it */
    @SuppressWarnings("ArrayRecordComponent") // stored as it is, and never compared
    public record Sealed(int key, byte[] bytes) {}

    public Sealed seal(OrganizationId organization, ToolCredentials credentials) {
        return new Sealed(
                CURRENT_KEY,
                secret.seal(purpose(CURRENT_KEY)).seal(StrictJson.write(credentials), organization.text()));
    }

    /** @throws IllegalStateException when the row was tampered with, or belongs to another organization */
    public ToolCredentials open(OrganizationId organization, Sealed sealed) {
        String text = secret.seal(purpose(sealed.key())).open(sealed.bytes(), organization.text());
        return StrictJson.readTrusted(text, ToolCredentials.class);
    }

    private static String purpose(int key) {
        return "tool credentials " + key;
    }
}
