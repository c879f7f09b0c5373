package dev.parley.webhook;

import dev.parley.db.Database;
import dev.parley.event.ConversationCallbacks;
import dev.parley.event.EventType;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.id.WebhookDeliveryId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.RowView;
import org.jdbi.v3.core.statement.Query;

/** Lists and deletes deliveries and their attempts. */
@Singleton
public final class DeliveryStore {
    /** The retention of deliveries and their attempts. */
    static final Duration RETENTION = Duration.ofDays(30);

    /** The maximum number of rows scanned for a page, so that a selective filter costs no more than a broad one. */
    private static final int MAX_SCANNED_ROWS = 2_000;

    private static final int DELETE_BATCH = 2_000;

    private static final String COLUMNS = """
            d.organization_id, d.id, d.event_id, d.type, d.sequence, d.conversation_id, d.endpoint_id, d.attempts,
            CASE WHEN d.state = 'PENDING' AND d.tries > 0 THEN 'RETRYING' ELSE d.state END AS state, d.created_at,
            d.finished_at, e.url AS endpoint_url, a.status AS last_status, a.error AS last_error,
            CASE WHEN h.tries > 0 THEN h.id END AS blocked_by,
            CASE WHEN isfinite(q.due_at) AND (d.tries > 0 OR q.due_at > :now) THEN q.due_at END AS next_attempt_at
            """;

    private static final String JOINS = """
            LEFT JOIN webhook_endpoint e ON e.organization_id = d.organization_id AND e.id = d.endpoint_id
            LEFT JOIN webhook_queue q ON d.state = 'PENDING' AND q.organization_id = d.organization_id
                AND q.target_id = d.target_id AND q.queue_id = d.queue_id
            LEFT JOIN webhook_attempt a ON a.organization_id = d.organization_id AND a.delivery_id = d.id
                AND a.number = d.attempts
            LEFT JOIN LATERAL (
                SELECT f.id, f.tries FROM webhook_delivery f
                WHERE d.state = 'PENDING' AND d.tries = 0 AND f.state = 'PENDING'
                  AND f.organization_id = d.organization_id AND f.target_id = d.target_id AND f.queue_id = d.queue_id
                ORDER BY f.sequence LIMIT 1
            ) h ON true
            """;

    /** Attempts follow the delivery within this time. */
    private static final Duration LONGEST_RETRY = Duration.ofDays(4);

    private final Database database;
    private final ConversationCallbacks callbacks;
    private final Clock clock;

    /** A filter of deliveries; empty members match all. */
    record DeliveryFilter(
            Optional<ConversationId> conversation,
            Optional<WebhookEndpointId> endpoint,
            Optional<DeliveryState> state,
            Optional<EventType> type) {}

    /** @param next the start of the next page; empty on the last */
    record DeliveryPage(List<WebhookDelivery> deliveries, Optional<WebhookDeliveryId> next) {
        DeliveryPage {
            deliveries = List.copyOf(deliveries);
        }
    }

    /** A delivery and its attempts, oldest first, as of one moment. */
    record DeliveryHistory(WebhookDelivery delivery, List<DeliveryAttempt> attempts) {
        DeliveryHistory {
            attempts = List.copyOf(attempts);
        }
    }

    public DeliveryStore(Database database, ConversationCallbacks callbacks, Clock clock) {
        this.database = database;
        this.callbacks = callbacks;
        this.clock = clock;
    }

    /** Newest first. A page may have fewer deliveries than the limit, even none, and still be followed by another. */
    DeliveryPage list(
            OrganizationId organization, DeliveryFilter filter, Optional<WebhookDeliveryId> after, int limit) {
        record DeliveryRow(WebhookDelivery delivery, boolean matches, long looked) {}
        List<DeliveryRow> rows = database.with(handle -> bind(
                        handle.createQuery("SELECT " + COLUMNS + """
                                , d.matches, d.looked FROM (
                                    SELECT *, row_number() OVER (ORDER BY id DESC) AS looked,
                                        (:type::text IS NULL OR type = :type)
                                        AND (:state::text IS NULL OR state = :state)
                                        AND (:tried::boolean IS NULL OR (tries > 0) = :tried)
                                        AND (:endpoint::uuid IS NULL OR endpoint_id = :endpoint) AS matches
                                    FROM (SELECT * FROM webhook_delivery WHERE organization_id = :organization
                                        AND id < :after %s ORDER BY id DESC LIMIT :looked) b
                                ) d
                                """.formatted(base(filter)) + JOINS + """
                                WHERE d.matches OR d.looked = :looked ORDER BY d.id DESC LIMIT :limit"""),
                        organization,
                        filter)
                .bind("after", after.map(WebhookDeliveryId::value).orElse(new UUID(-1, -1)))
                .bind("looked", MAX_SCANNED_ROWS)
                .bind("limit", limit + 1)
                .map(row -> new DeliveryRow(
                        read(row), row.getColumn("matches", Boolean.class), row.getColumn("looked", Long.class)))
                .list());
        List<DeliveryRow> page = rows.size() > limit ? rows.subList(0, limit) : rows;
        boolean more = rows.size() > limit || (!rows.isEmpty() && rows.getLast().looked == MAX_SCANNED_ROWS);
        return new DeliveryPage(
                page.stream()
                        .filter(DeliveryRow::matches)
                        .map(DeliveryRow::delivery)
                        .toList(),
                more ? Optional.of(page.getLast().delivery.id()) : Optional.empty());
    }

    /** The index to scan: of the conversation, else of failures, else of the endpoint, else of the state. */
    private static String base(DeliveryFilter filter) {
        boolean failed = filter.state.equals(Optional.of(DeliveryState.FAILED));
        if (filter.conversation.isPresent()) {
            return "AND conversation_id = :conversation";
        }
        if (filter.endpoint.isPresent() && !failed) {
            return "AND endpoint_id = :endpoint";
        }
        boolean rare = filter.state.isPresent() && filter.state.get() != DeliveryState.DELIVERED;
        return rare ? "AND state = :state AND state <> 'DELIVERED'" : "";
    }

    private Query bind(Query query, OrganizationId organization, DeliveryFilter filter) {
        return query.bind("organization", organization)
                .bind("now", clock.instant())
                .bind("conversation", filter.conversation)
                .bind("endpoint", filter.endpoint)
                .bind("state", filter.state.map(state -> state == DeliveryState.RETRYING ? "PENDING" : state.name()))
                .bind(
                        "tried",
                        filter.state
                                .filter(state -> state == DeliveryState.PENDING || state == DeliveryState.RETRYING)
                                .map(state -> state == DeliveryState.RETRYING))
                .bind("type", filter.type.map(EventType::text));
    }

    Optional<WebhookDelivery> find(OrganizationId organization, WebhookDeliveryId id) {
        return database.with(handle -> find(handle, organization, id));
    }

    Optional<DeliveryHistory> history(OrganizationId organization, WebhookDeliveryId id) {
        return database.snapshot(handle -> find(handle, organization, id)
                .map(delivery -> new DeliveryHistory(delivery, attempts(handle, organization, id))));
    }

    private Optional<WebhookDelivery> find(Handle handle, OrganizationId organization, WebhookDeliveryId id) {
        return handle.createQuery("SELECT " + COLUMNS + " FROM webhook_delivery d " + JOINS
                        + "WHERE d.organization_id = :organization AND d.id = :id")
                .bind("organization", organization)
                .bind("id", id)
                .bind("now", clock.instant())
                .map(this::read)
                .findOne();
    }

    private static List<DeliveryAttempt> attempts(Handle handle, OrganizationId organization, WebhookDeliveryId id) {
        return handle.createQuery("""
                        SELECT number, at, duration_ms, status, response, error FROM webhook_attempt
                        WHERE organization_id = :organization AND delivery_id = :id ORDER BY number""")
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(DeliveryAttempt.class)
                .list();
    }

    /** The latest deliveries of endpoints; an endpoint without deliveries is missing. */
    Map<WebhookEndpointId, EndpointActivity> activity(OrganizationId organization, List<WebhookEndpointId> endpoints) {
        return database.with(handle -> handle.createQuery("""
                        SELECT e.id, r.deliveries, r.delivered, r.retrying, r.pending, greatest(r.failed_at, f.finished_at) AS failed_at
                        FROM unnest(:endpoints::uuid[]) AS e (id)
                        CROSS JOIN LATERAL (
                            SELECT count(*) AS deliveries, count(*) FILTER (WHERE state = 'DELIVERED') AS delivered,
                                count(*) FILTER (WHERE state = 'PENDING' AND tries > 0) AS retrying,
                                count(*) FILTER (WHERE state = 'PENDING' AND tries = 0) AS pending,
                                max(a.at) AS failed_at
                            FROM (SELECT id, state, tries, attempts FROM webhook_delivery
                                WHERE organization_id = :organization AND endpoint_id = e.id
                                ORDER BY id DESC LIMIT :latest) l
                            LEFT JOIN LATERAL (
                                SELECT max(at) AS at FROM webhook_attempt
                                WHERE organization_id = :organization AND delivery_id = l.id
                                  AND (status IS NULL OR status NOT BETWEEN 200 AND 299)
                                  AND (l.state <> 'DELIVERED' OR l.attempts > 1)
                            ) a ON true
                        ) r
                        LEFT JOIN LATERAL (
                            SELECT finished_at FROM webhook_delivery
                            WHERE organization_id = :organization AND endpoint_id = e.id AND state = 'FAILED'
                            ORDER BY finished_at DESC LIMIT 1
                        ) f ON true
                        WHERE r.deliveries > 0""")
                .bindArray(
                        "endpoints",
                        UUID.class,
                        endpoints.stream().map(WebhookEndpointId::value).toList())
                .bind("organization", organization)
                .bind("latest", EndpointActivity.DELIVERIES)
                .map(row -> Map.entry(
                        row.getColumn("id", WebhookEndpointId.class),
                        new EndpointActivity(
                                row.getColumn("deliveries", Integer.class),
                                row.getColumn("delivered", Integer.class),
                                row.getColumn("retrying", Integer.class),
                                row.getColumn("pending", Integer.class),
                                row.getColumn("failed_at", Instant.class))))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The attempts of an endpoint's deliveries per interval, oldest first; intervals without attempts are missing. */
    List<AttemptCounts> attemptCounts(
            OrganizationId organization, WebhookEndpointId endpoint, Instant since, Duration interval) {
        return database.with(handle -> handle.createQuery("""
                        SELECT date_bin(:interval::interval, a.at, :since::timestamptz) AS from_time,
                            count(*) FILTER (WHERE a.status BETWEEN 200 AND 299) AS succeeded,
                            count(*) FILTER (WHERE a.status IS NULL OR a.status NOT BETWEEN 200 AND 299) AS failed,
                            percentile_disc(0.5) WITHIN GROUP (ORDER BY a.duration_ms) AS median_ms
                        FROM (SELECT id FROM webhook_delivery
                            WHERE organization_id = :organization AND endpoint_id = :endpoint AND id >= :oldest
                            ORDER BY id DESC LIMIT :most) d
                        JOIN webhook_attempt a ON a.organization_id = :organization AND a.delivery_id = d.id
                        WHERE a.at >= :since
                        GROUP BY from_time ORDER BY from_time""")
                .bind("organization", organization)
                .bind("endpoint", endpoint)
                .bind("since", since)
                .bind("interval", interval.toSeconds() + " seconds")
                .bind("oldest", UuidV7.floor(since.minus(LONGEST_RETRY)))
                .bind("most", AttemptCounts.DELIVERIES)
                .map(row -> new AttemptCounts(
                        row.getColumn("from_time", Instant.class),
                        row.getColumn("succeeded", Integer.class),
                        row.getColumn("failed", Integer.class),
                        row.getColumn("median_ms", Integer.class)))
                .list());
    }

    @Produces
    @Singleton
    MaintenanceJob deletionJob() {
        return new MaintenanceJob("delete old webhook deliveries", Duration.ofHours(1), this::deleteExpired);
    }

    /**
     * Deletes deliveries older than {@link #RETENTION} with their attempts, by their ids, whose prefix is their time, so
     * that no further index is needed. Never deletes pending ones.
     */
    void deleteExpired() {
        Instant before = clock.instant().minus(RETENTION);
        UUID oldest = new UUID(before.toEpochMilli() << 16, 0);
        List<UUID> organizations = database.with(handle ->
                handle.select("SELECT id FROM organization").mapTo(UUID.class).list());
        for (UUID organization : organizations) {
            int deleted;
            do {
                deleted =
                        database.with(handle -> handle.execute("""
                                DELETE FROM webhook_delivery WHERE organization_id = ? AND id IN (
                                    SELECT id FROM webhook_delivery
                                    WHERE organization_id = ? AND id < ? AND state <> 'PENDING'
                                    ORDER BY id LIMIT ?)""", organization, organization, oldest, DELETE_BATCH));
            } while (deleted > 0);
        }
    }

    private WebhookDelivery read(RowView row) {
        ConversationId conversation = row.getColumn("conversation_id", ConversationId.class);
        WebhookEndpointId endpoint = row.getColumn("endpoint_id", WebhookEndpointId.class);
        EventId event = row.getColumn("event_id", EventId.class);
        return new WebhookDelivery(
                row.getColumn("id", WebhookDeliveryId.class),
                event,
                event.webhookId(),
                EventType.of(row.getColumn("type", String.class)).orElseThrow(),
                row.getColumn("sequence", Long.class),
                conversation,
                endpoint,
                endpoint == null && conversation != null
                        ? callbacks
                                .url(row.getColumn("organization_id", OrganizationId.class), conversation)
                                .orElse(null)
                        : row.getColumn("endpoint_url", String.class),
                row.getColumn("state", DeliveryState.class),
                row.getColumn("attempts", Integer.class),
                row.getColumn("last_status", Integer.class),
                row.getColumn("last_error", String.class),
                row.getColumn("created_at", Instant.class),
                row.getColumn("next_attempt_at", Instant.class),
                row.getColumn("blocked_by", WebhookDeliveryId.class),
                row.getColumn("finished_at", Instant.class));
    }
}
