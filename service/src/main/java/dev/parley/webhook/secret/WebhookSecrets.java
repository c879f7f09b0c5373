package dev.parley.webhook.secret;

import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that sign webhooks. An organization's secret is created when it is first needed. After a rotation the
 * previous secret stays valid for {@link #OVERLAP}, so that receivers can switch at any time within it.
 */
@Singleton
public final class WebhookSecrets {
    /** How long both secrets sign. */
    public static final Duration OVERLAP = Duration.ofHours(24);

    /** The maximum number of signatures of one request, regardless of the number of rotations. */
    private static final int MAX_SIGNATURES = 4;

    private final Database database;
    private final SecretStore store;
    private final SecretCipher cipher;
    private final Clock clock;

    /** An organization's secret for its admins. */
    @Schema(name = "WebhookSecret")
    public record CurrentSecret(
            @Schema(examples = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
            String secret,

            Instant createdAt,

            @Schema(description = "When the previous secret expires; null if it has expired") @Nullable
            Instant previousExpiresAt) {
        @Override
        public String toString() {
            return "CurrentSecret[…]";
        }
    }

    public WebhookSecrets(Database database, SecretCipher cipher, Clock clock) {
        this.database = database;
        this.store = database.statements(SecretStore.class);
        this.cipher = cipher;
        this.clock = clock;
    }

    /** The current secret, created if there is none. */
    public CurrentSecret current(OrganizationId organization) {
        return database.transaction(() -> {
            insertMissing(organization);
            SecretStore.StoredSecret stored = store.current(organization, clock.instant());
            SigningSecret secret = cipher.decrypt(organization, stored.secret());
            return new CurrentSecret(secret.text(), stored.createdAt(), stored.previousExpiresAt());
        });
    }

    /** Creates a new secret; the previous one stays valid for {@link #OVERLAP}. */
    CurrentSecret rotate(OrganizationId organization) {
        return database.transaction(() -> {
            insertMissing(organization);
            Instant now = clock.instant();
            store.expire(organization, now.plus(OVERLAP));
            store.deleteOld(organization, now, MAX_SIGNATURES - 1);
            return current(organization);
        });
    }

    private void insertMissing(OrganizationId organization) {
        store.insertMissing(organization, cipher.encrypt(organization, SigningSecret.generate()), clock.instant());
    }

    /** The valid secrets of each organization, the current one first; created if missing. */
    public Map<OrganizationId, List<SigningSecret>> signing(List<OrganizationId> organizations) {
        Map<OrganizationId, List<SigningSecret>> secrets = read(organizations);
        if (secrets.keySet().containsAll(organizations)) {
            return secrets;
        }
        organizations.forEach(this::insertMissing);
        return read(organizations);
    }

    private Map<OrganizationId, List<SigningSecret>> read(List<OrganizationId> organizations) {
        return database.jdbc(connection -> read(connection, organizations));
    }

    private Map<OrganizationId, List<SigningSecret>> read(Connection connection, List<OrganizationId> organizations)
            throws SQLException {
        Map<OrganizationId, List<SigningSecret>> secrets = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT s.organization_id, s.secret
                FROM unnest(?::uuid[]) AS o (id) JOIN webhook_secret s ON s.organization_id = o.id
                WHERE s.expires_at IS NULL OR s.expires_at > ?
                ORDER BY s.organization_id, s.number DESC
                """)) {
            new BatchInsert<>(statement, 1, organizations).ids(id -> id);
            statement.setObject(2, clock.instant().atOffset(ZoneOffset.UTC));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    var organization = new OrganizationId(rows.getObject(1, UUID.class));
                    secrets.computeIfAbsent(organization, _ -> new ArrayList<>())
                            .add(cipher.decrypt(organization, rows.getBytes(2)));
                }
            }
        }
        return secrets;
    }
}
