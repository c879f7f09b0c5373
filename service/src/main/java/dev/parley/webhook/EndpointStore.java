package dev.parley.webhook;

import dev.parley.event.EventType;
import dev.parley.event.EventTypeMapper;
import dev.parley.id.OrganizationId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.webhook.run.DeliveryQueue;
import dev.parley.webhook.secret.SigningSecret;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapper;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code webhook_endpoint}. */
@RegisterColumnMapper(EventTypeMapper.class)
interface EndpointStore {
    /** The maximum number of endpoints per organization: each adds a delivery for every event that it subscribes to. */
    int MAX_PER_ORGANIZATION = 20;

    String COLUMNS = " " + """
            id, url, description, event_types, enabled, disabled_reason, secret IS NOT NULL AS own_secret,
            previous_until AS previous_secret_expires_at, created_by, created_at, updated_at, updated_by, revision
            """;

    String LIVE = " FROM webhook_endpoint WHERE organization_id = :organization AND deleted_at IS NULL ";

    /** Before and after the endpoints whose activity is read. */
    String WITH_ACTIVITY = "SELECT" + COLUMNS + """
            , deliveries, delivered, retrying, pending, greatest(r.failed_at, f.finished_at) AS last_failed_at FROM (SELECT *
            """;

    String ACTIVITY = """
            ) e CROSS JOIN LATERAL (
                SELECT count(*) AS deliveries, count(*) FILTER (WHERE state = 'DELIVERED') AS delivered,
                    count(*) FILTER (WHERE state = 'PENDING' AND tries > 0) AS retrying,
                    count(*) FILTER (WHERE state = 'PENDING' AND tries = 0) AS pending, max(a.at) AS failed_at
                FROM (SELECT id, state, tries, attempts FROM webhook_delivery
                    WHERE organization_id = :organization AND endpoint_id = e.id
                    ORDER BY id DESC LIMIT\s""" + EndpointActivity.DELIVERIES + """
                ) l
                LEFT JOIN LATERAL (
                    SELECT max(at) AS at FROM webhook_attempt
                    WHERE organization_id = :organization AND delivery_id = l.id
                      AND (status IS NULL OR status NOT BETWEEN 200 AND 299) AND (l.state <> 'DELIVERED' OR l.attempts > 1)
                ) a ON true
            ) r
            LEFT JOIN LATERAL (
                SELECT finished_at FROM webhook_delivery
                WHERE organization_id = :organization AND endpoint_id = e.id AND state = 'FAILED'
                ORDER BY finished_at DESC LIMIT 1
            ) f ON true
            ORDER BY e.id DESC""";

    /**
     * The values of an endpoint. Null members stay unchanged, or get their defaults.
     *
     * @param organizationSecret whether to sign with the organization's secret instead of its own
     */
    record EndpointValues(
            @Nullable String url,
            @Nullable String description,
            @Nullable Set<EventType> eventTypes,
            @Nullable Boolean enabled,
            @Nullable SigningSecret secret,
            boolean organizationSecret) {
        public @Nullable String receiver() {
            return url == null ? null : DeliveryQueue.receiver(url);
        }

        public @Nullable String types() {
            return eventTypes == null
                    ? null
                    : eventTypes.stream().map(EventType::text).sorted().collect(Collectors.joining(","));
        }

        boolean changes(WebhookEndpoint before) {
            return (url != null && !url.equals(before.url()))
                    || (description != null && !description.equals(before.description()))
                    || (eventTypes != null && !eventTypes.equals(Set.copyOf(before.eventTypes())))
                    || (enabled != null && enabled != before.enabled())
                    || secret != null
                    || (organizationSecret && before.ownSecret());
        }
    }

    /** Serialises changes, so that the later of two includes both in the subscriptions. */
    @SqlUpdate("SELECT id FROM organization WHERE id = :organization FOR NO KEY UPDATE")
    void lockOrganization(OrganizationId organization);

    /** Empty if the organization has the maximum number of endpoints. */
    @SqlQuery("""
            INSERT INTO webhook_endpoint (organization_id, id, url, receiver, description, event_types, enabled, secret,
                created_by, created_at, updated_at, updated_by)
            SELECT :organization, :id, :url, :receiver, coalesce(:description, ''), string_to_array(:types, ','),
                coalesce(:enabled, true), :encrypted::bytea, :by, :now, :now, :by
            WHERE (SELECT count(*)""" + LIVE + ") < " + MAX_PER_ORGANIZATION + " RETURNING" + COLUMNS)
    Optional<WebhookEndpoint> insert(
            OrganizationId organization,
            WebhookEndpointId id,
            @BindMethods EndpointValues values,
            byte @Nullable [] encrypted,
            String by,
            Instant now);

    /** Newest first. */
    @SqlQuery(WITH_ACTIVITY + LIVE + "AND (:after::uuid IS NULL OR id < :after::uuid) ORDER BY id DESC LIMIT :limit"
            + ACTIVITY)
    List<WebhookEndpointDetails> list(OrganizationId organization, Optional<WebhookEndpointId> after, int limit);

    @SqlQuery(WITH_ACTIVITY + LIVE + "AND id = :id" + ACTIVITY)
    Optional<WebhookEndpointDetails> details(OrganizationId organization, WebhookEndpointId id);

    @SqlQuery("SELECT" + COLUMNS + LIVE + "AND id = :id")
    Optional<WebhookEndpoint> find(OrganizationId organization, WebhookEndpointId id);

    @SqlQuery("SELECT" + COLUMNS + LIVE + "AND id = :id FOR NO KEY UPDATE")
    Optional<WebhookEndpoint> lock(OrganizationId organization, WebhookEndpointId id);

    /** A replaced secret stays valid until then. */
    @SqlQuery("""
            UPDATE webhook_endpoint SET
                url = coalesce(:url, url), receiver = coalesce(:receiver, receiver),
                description = coalesce(:description, description),
                event_types = coalesce(string_to_array(:types, ','), event_types), enabled = coalesce(:enabled, enabled),
                disabled_reason = CASE WHEN :enabled::boolean IS NULL THEN disabled_reason END,
                previous_secret = CASE WHEN :encrypted::bytea IS NOT NULL THEN secret
                    WHEN NOT :organizationSecret THEN previous_secret END,
                previous_until = CASE WHEN :encrypted::bytea IS NOT NULL
                        THEN CASE WHEN secret IS NOT NULL THEN :until::timestamptz END
                    WHEN NOT :organizationSecret THEN previous_until END,
                secret = CASE WHEN :organizationSecret THEN NULL ELSE coalesce(:encrypted, secret) END,
                updated_at = :now, updated_by = :by, revision = revision + 1
            WHERE organization_id = :organization AND id = :id
            RETURNING""" + COLUMNS)
    WebhookEndpoint update(
            OrganizationId organization,
            WebhookEndpointId id,
            @BindMethods EndpointValues values,
            byte @Nullable [] encrypted,
            Instant until,
            String by,
            Instant now);

    @SqlUpdate("""
            UPDATE webhook_endpoint SET deleted_at = :now, secret = NULL, previous_secret = NULL
            WHERE organization_id = :organization AND id = :id""")
    void delete(OrganizationId organization, WebhookEndpointId id, Instant now);

    /** The types to which endpoints subscribe, as texts. */
    @SqlQuery("SELECT DISTINCT unnest(event_types)" + LIVE + "AND enabled")
    List<String> subscribedTypes(OrganizationId organization);
}
