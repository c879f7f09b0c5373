package dev.parley.model;

import dev.parley.db.AeadCipher;
import dev.parley.egress.EgressUrl;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The credential of a provider and the additional headers, which are never returned. They are encrypted for one
 * organization and one scheme, host and port, so that a changed row cannot send them elsewhere.
 */
public record ModelSecrets(@Nullable String credential, Map<String, String> headers) {
    public static final ModelSecrets NONE = new ModelSecrets(null, Map.of());

    public ModelSecrets {
        headers = Map.copyOf(headers);
    }

    public List<String> headerNames() {
        return headers.keySet().stream().sorted().toList();
    }

    /** Null if there are none. */
    public byte @Nullable [] encrypted(AeadCipher cipher, OrganizationId organization, EgressUrl url) {
        return equals(NONE) ? null : cipher.encrypt(StrictJson.write(this), context(organization, url));
    }

    /** @throws IllegalStateException if the row was modified or belongs to another organization or host */
    static ModelSecrets decrypt(
            byte @Nullable [] encrypted, AeadCipher cipher, OrganizationId organization, EgressUrl url) {
        return encrypted == null
                ? NONE
                : StrictJson.readTrusted(cipher.decrypt(encrypted, context(organization, url)), ModelSecrets.class);
    }

    private static String context(OrganizationId organization, EgressUrl url) {
        return organization.text() + " " + url.origin();
    }

    /** Omits the secrets. */
    @Override
    public String toString() {
        return "ModelSecrets[" + headerNames() + "]";
    }
}
