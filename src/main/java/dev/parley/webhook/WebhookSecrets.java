package dev.parley.webhook;

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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code webhook_secret}. An organization's secret is created when it is first needed. After a rotation the
 * previous secret stays valid for {@link #OVERLAP}, so that receivers can switch at any time within it.
 */
@Singleton
public final class WebhookSecrets {
    /** How long both secrets sign. */
    public static final Duration OVERLAP = Duration.ofHours(24);

    /** The maximum number of signatures of one request, regardless of the number of rotations. */
    private static final int MAX_SIGNATURES = 4;

    private final Database database;
    private final SecretCipher cipher;
    private final Clock clock;

    /**
     * An organization's secret for its admins.
     *
     * @param previousExpiresAt the end of the previous secret's validity; null if there is none
     */
    public record CurrentSecret(
            SigningSecret secret,
            Instant createdAt,
            @Nullable Instant previousExpiresAt) {}

    public WebhookSecrets(Database database, SecretCipher cipher, Clock clock) {
        this.database = database;
        this.cipher = cipher;
        this.clock = clock;
    }

    /** The current secret, created if there is none. */
    public CurrentSecret current(OrganizationId organization) {
        return database.transaction(handle -> current(handle, organization));
    }

    /** Creates a new secret; the previous one stays valid for {@link #OVERLAP}. */
    public CurrentSecret rotate(Handle handle, OrganizationId organization) {
        ensure(handle, organization);
        Instant now = clock.instant();
        handle.createUpdate("""
                        UPDATE webhook_secret SET expires_at = :until
                        WHERE organization_id = :organization AND expires_at IS NULL""")
                .bind("organization", organization)
                .bind("until", now.plus(OVERLAP))
                .execute();
        handle.createUpdate("""
                        DELETE FROM webhook_secret WHERE organization_id = :organization AND (expires_at <= :now
                            OR number <= (SELECT max(number) FROM webhook_secret
                                WHERE organization_id = :organization) - (:most - 1))""")
                .bind("organization", organization)
                .bind("now", now)
                .bind("most", MAX_SIGNATURES)
                .execute();
        ensure(handle, organization);
        return current(handle, organization);
    }

    private CurrentSecret current(Handle handle, OrganizationId organization) {
        ensure(handle, organization);
        return handle.createQuery("""
                        SELECT secret, created_at,
                            (SELECT max(expires_at) FROM webhook_secret o
                             WHERE o.organization_id = s.organization_id AND o.expires_at > :now) AS previous
                        FROM webhook_secret s WHERE organization_id = :organization AND expires_at IS NULL""")
                .bind("organization", organization)
                .bind("now", clock.instant())
                .map(row -> new CurrentSecret(
                        cipher.decrypt(organization, row.getColumn("secret", byte[].class)),
                        row.getColumn("created_at", Instant.class),
                        row.getColumn("previous", Instant.class)))
                .one();
    }

    /** Blocks while another transaction creates one. */
    private void ensure(Handle handle, OrganizationId organization) {
        handle.createUpdate("""
                        INSERT INTO webhook_secret (organization_id, number, secret, created_at)
                        SELECT :organization, coalesce(max(number), 0) + 1, :secret, :now
                        FROM webhook_secret WHERE organization_id = :organization
                        HAVING count(*) FILTER (WHERE expires_at IS NULL) = 0
                        ON CONFLICT DO NOTHING""")
                .bind("organization", organization)
                .bind("secret", cipher.encrypt(organization, SigningSecret.generate()))
                .bind("now", clock.instant())
                .execute();
    }

    /** The valid secrets of each organization, the current one first; created if missing. */
    Map<OrganizationId, List<SigningSecret>> signing(Collection<OrganizationId> organizations) {
        Map<OrganizationId, List<SigningSecret>> secrets = read(organizations);
        for (OrganizationId organization : organizations) {
            if (!secrets.containsKey(organization)) {
                secrets.put(organization, List.of(current(organization).secret()));
            }
        }
        return secrets;
    }

    private Map<OrganizationId, List<SigningSecret>> read(Collection<OrganizationId> organizations) {
        return database.jdbc(connection -> signing(connection, organizations));
    }

    private Map<OrganizationId, List<SigningSecret>> signing(
            Connection connection, Collection<OrganizationId> organizations) throws SQLException {
        Map<OrganizationId, List<SigningSecret>> secrets = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT s.organization_id, s.secret
                FROM unnest(?::uuid[]) AS o (id) JOIN webhook_secret s ON s.organization_id = o.id
                WHERE s.expires_at IS NULL OR s.expires_at > ?
                ORDER BY s.organization_id, s.number DESC
                """)) {
            new BatchInsert<>(statement, 1, List.copyOf(organizations)).ids(id -> id);
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
