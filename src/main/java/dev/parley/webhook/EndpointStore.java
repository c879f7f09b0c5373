package dev.parley.webhook;

import dev.parley.db.Database;
import dev.parley.event.EventSubscriptions;
import dev.parley.event.EventType;
import dev.parley.http.IfMatch;
import dev.parley.id.OrganizationId;
import dev.parley.id.WebhookEndpointId;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.RowView;
import org.jspecify.annotations.Nullable;

/** The table {@code webhook_endpoint}. Every change updates the organization's event subscriptions. */
@Singleton
public final class EndpointStore {
    /** The maximum number of endpoints per organization: each adds a delivery for every event that it subscribes to. */
    static final int MAX_PER_ORGANIZATION = 20;

    private static final String COLUMNS = """
            organization_id, id, url, description, event_types, enabled, disabled_reason, secret IS NOT NULL AS own_secret, \
            previous_until, created_by, created_at, updated_at, updated_by, revision""";

    private final Database database;
    private final EventSubscriptions subscriptions;
    private final SecretCipher cipher;
    private final Clock clock;

    /**
     * A change of an endpoint; null members stay unchanged.
     *
     * @param organizationSecret whether to sign with the organization's secret instead of its own
     */
    record EndpointUpdate(
            @Nullable String url,
            @Nullable String description,
            @Nullable Set<EventType> types,
            @Nullable Boolean enabled,
            @Nullable SigningSecret secret,
            boolean organizationSecret) {
        boolean changes(WebhookEndpoint before) {
            return (url != null && !url.equals(before.url()))
                    || (description != null && !description.equals(before.description()))
                    || (types != null && !types.equals(Set.copyOf(before.eventTypes())))
                    || (enabled != null && enabled != before.enabled())
                    || secret != null
                    || (organizationSecret && before.ownSecret());
        }
    }

    public EndpointStore(Database database, EventSubscriptions subscriptions, SecretCipher cipher, Clock clock) {
        this.database = database;
        this.subscriptions = subscriptions;
        this.cipher = cipher;
        this.clock = clock;
    }

    /** Creates an endpoint; empty if the maximum is reached. Call {@link #awaitVisibleOnAllNodes} afterwards. */
    Optional<WebhookEndpoint> create(
            Handle handle,
            OrganizationId organization,
            String url,
            String description,
            Set<EventType> types,
            boolean enabled,
            Optional<SigningSecret> secret,
            String createdBy) {
        lock(handle, organization);
        if (count(handle, organization) >= MAX_PER_ORGANIZATION) {
            return Optional.empty();
        }
        WebhookEndpoint created = handle.createQuery("""
                        INSERT INTO webhook_endpoint (organization_id, id, url, receiver, description, event_types,
                            enabled, secret, created_by, created_at, updated_at, updated_by)
                        VALUES (:organization, :id, :url, :receiver, :description, string_to_array(:types, ','),
                            :enabled, :secret::bytea, :by, :now, :now, :by)
                        RETURNING\s""" + COLUMNS)
                .bind("organization", organization)
                .bind("id", WebhookEndpointId.next())
                .bind("url", url)
                .bind("receiver", DeliveryQueue.receiver(url))
                .bind("description", description)
                .bind("types", text(types))
                .bind("enabled", enabled)
                .bind(
                        "secret",
                        secret.map(own -> cipher.encrypt(organization, own)).orElse(null))
                .bind("by", createdBy)
                .bind("now", clock.instant())
                .map(EndpointStore::read)
                .one();
        updateSubscriptions(handle, organization);
        return Optional.of(created);
    }

    /** Newest first. */
    List<WebhookEndpoint> list(OrganizationId organization, Optional<WebhookEndpointId> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM webhook_endpoint
                        WHERE organization_id = :organization AND deleted_at IS NULL
                          AND (:after::uuid IS NULL OR id < :after::uuid)
                        ORDER BY id DESC LIMIT :limit""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("after", after)
                .bind("limit", limit)
                .map(EndpointStore::read)
                .list());
    }

    Optional<WebhookEndpoint> find(OrganizationId organization, WebhookEndpointId id) {
        return database.with(handle -> handle.createQuery("SELECT " + COLUMNS + """
                         FROM webhook_endpoint
                        WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL""")
                .bind("organization", organization)
                .bind("id", id)
                .map(EndpointStore::read)
                .findOne());
    }

    /** Changes it; empty if there is none. A replaced secret stays valid as long as a rotated organization's. */
    Optional<WebhookEndpoint> change(
            OrganizationId organization,
            WebhookEndpointId id,
            EndpointUpdate change,
            String changedBy,
            IfMatch ifMatch) {
        return database.transaction(handle -> {
            lock(handle, organization);
            Optional<WebhookEndpoint> before = require(handle, organization, id, ifMatch);
            if (before.isEmpty() || !change.changes(before.get())) {
                return before;
            }
            Optional<WebhookEndpoint> changed = handle.createQuery("""
                            UPDATE webhook_endpoint SET
                                url = coalesce(:url, url), receiver = coalesce(:receiver, receiver),
                                description = coalesce(:description, description),
                                event_types = coalesce(string_to_array(:types, ','), event_types),
                                enabled = coalesce(:enabled, enabled),
                                disabled_reason = CASE WHEN :enabled::boolean IS NULL THEN disabled_reason END,
                                previous_secret = CASE WHEN :secret::bytea IS NULL AND NOT :organizations
                                    THEN previous_secret WHEN :secret::bytea IS NOT NULL THEN secret END,
                                previous_until = CASE WHEN :secret::bytea IS NULL AND NOT :organizations
                                    THEN previous_until WHEN :secret::bytea IS NOT NULL AND secret IS NOT NULL
                                    THEN :until::timestamptz END,
                                secret = CASE WHEN :organizations THEN NULL ELSE coalesce(:secret, secret) END,
                                updated_at = :now, updated_by = :by, revision = revision + 1
                            WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL
                            RETURNING\s""" + COLUMNS)
                    .bind("organization", organization)
                    .bind("id", id)
                    .bind("url", change.url)
                    .bind("receiver", change.url == null ? null : DeliveryQueue.receiver(change.url))
                    .bind("description", change.description)
                    .bind("types", change.types == null ? null : text(change.types))
                    .bind("enabled", change.enabled)
                    .bind("secret", change.secret == null ? null : cipher.encrypt(organization, change.secret))
                    .bind("organizations", change.organizationSecret)
                    .bind("by", changedBy)
                    .bind("until", clock.instant().plus(WebhookSecrets.OVERLAP))
                    .bind("now", clock.instant())
                    .map(EndpointStore::read)
                    .findOne();
            updateSubscriptions(handle, organization);
            return changed;
        });
    }

    /** False if there is none. */
    boolean delete(OrganizationId organization, WebhookEndpointId id, IfMatch ifMatch) {
        return database.transaction(handle -> {
            lock(handle, organization);
            var _ = require(handle, organization, id, ifMatch);
            int deleted = handle.createUpdate("""
                            UPDATE webhook_endpoint SET deleted_at = :now, secret = NULL, previous_secret = NULL
                            WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL""")
                    .bind("organization", organization)
                    .bind("id", id)
                    .bind("now", clock.instant())
                    .execute();
            updateSubscriptions(handle, organization);
            return deleted == 1;
        });
    }

    private static Optional<WebhookEndpoint> require(
            Handle handle, OrganizationId organization, WebhookEndpointId id, IfMatch ifMatch) {
        Optional<WebhookEndpoint> found = handle.createQuery("SELECT " + COLUMNS + """
                         FROM webhook_endpoint
                        WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL FOR NO KEY UPDATE""")
                .bind("organization", organization)
                .bind("id", id)
                .map(EndpointStore::read)
                .findOne();
        found.ifPresent(before -> ifMatch.require(before.revision(), before.updatedBy(), before.updatedAt()));
        return found;
    }

    /** Waits until every node records the events that are subscribed to now. */
    void awaitVisibleOnAllNodes() {
        subscriptions.awaitVisible();
    }

    /** Serialises changes, so that the later of two includes both in the subscriptions. */
    private static void lock(Handle handle, OrganizationId organization) {
        handle.execute("SELECT id FROM organization WHERE id = ? FOR NO KEY UPDATE", organization.value());
    }

    private static int count(Handle handle, OrganizationId organization) {
        return handle.createQuery(
                        "SELECT count(*) FROM webhook_endpoint WHERE organization_id = :organization AND deleted_at IS NULL")
                .bind("organization", organization)
                .mapTo(Integer.class)
                .one();
    }

    private void updateSubscriptions(Handle handle, OrganizationId organization) {
        Set<EventType> requested = EnumSet.noneOf(EventType.class);
        handle.createQuery("""
                        SELECT DISTINCT unnest(event_types) FROM webhook_endpoint
                        WHERE organization_id = :organization AND enabled AND deleted_at IS NULL""")
                .bind("organization", organization)
                .mapTo(String.class)
                .forEach(name -> EventType.of(name).ifPresent(requested::add));
        subscriptions.subscribeOrganization(handle, organization, requested);
    }

    private static String text(Set<EventType> types) {
        return String.join(",", types.stream().map(EventType::text).sorted().toList());
    }

    private static WebhookEndpoint read(RowView row) {
        return new WebhookEndpoint(
                row.getColumn("id", WebhookEndpointId.class),
                row.getColumn("url", String.class),
                row.getColumn("description", String.class),
                Arrays.stream(row.getColumn("event_types", String[].class))
                        .flatMap(name -> EventType.of(name).stream())
                        .toList(),
                row.getColumn("enabled", Boolean.class),
                row.getColumn("disabled_reason", String.class),
                row.getColumn("own_secret", Boolean.class),
                row.getColumn("previous_until", Instant.class),
                row.getColumn("created_by", String.class),
                row.getColumn("created_at", Instant.class),
                row.getColumn("updated_at", Instant.class),
                row.getColumn("updated_by", String.class),
                row.getColumn("revision", Integer.class),
                row.getColumn("organization_id", OrganizationId.class));
    }
}
