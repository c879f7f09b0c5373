package dev.parley.webhook;

import dev.parley.db.Database;
import dev.parley.event.ConversationCallbacks;
import dev.parley.event.EventType;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WebhookDeliveryId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.node.MaintenanceJob;
import dev.parley.node.NodeLease;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.RowView;
import org.jdbi.v3.core.statement.Query;

/** Lists, replays and deletes deliveries and their attempts. */
@Singleton
public final class DeliveryStore {
    /** The retention of deliveries and their attempts. */
    static final Duration RETENTION = Duration.ofDays(30);

    /** The maximum number of rows scanned for a page, so that a selective filter costs no more than a broad one. */
    private static final int MAX_SCANNED_ROWS = 2_000;

    private static final int DELETE_BATCH = 2_000;

    private static final String COLUMNS = """
            d.organization_id, d.id, d.event_id, d.type, d.sequence, d.conversation_id, d.endpoint_id, d.state, d.attempts,
            d.created_at, d.finished_at, e.url AS endpoint_url,
            CASE WHEN d.state = 'PENDING' AND d.tries > 0 AND isfinite(q.due_at) THEN q.due_at END AS next_attempt_at
            """;

    private static final String JOINS = """
            LEFT JOIN webhook_endpoint e ON e.organization_id = d.organization_id AND e.id = d.endpoint_id
            LEFT JOIN webhook_queue q ON d.state = 'PENDING' AND q.organization_id = d.organization_id
                AND q.target_id = d.target_id AND q.queue_id = d.queue_id
            """;

    private final Database database;
    private final ConversationCallbacks callbacks;
    private final NodeLease node;
    private final WebhookSender sender;
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

    /** The result of a replay request. */
    enum ReplayResult {
        QUEUED,
        /** It is still pending. */
        PENDING,
        /** The event has been deleted, or its endpoint is disabled or deleted. */
        IMPOSSIBLE,
        UNKNOWN
    }

    public DeliveryStore(
            Database database, ConversationCallbacks callbacks, NodeLease node, WebhookSender sender, Clock clock) {
        this.database = database;
        this.callbacks = callbacks;
        this.node = node;
        this.sender = sender;
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

    /** The index to scan: of the conversation, else of the endpoint, else of the state. */
    private static String base(DeliveryFilter filter) {
        if (filter.conversation.isPresent()) {
            return "AND conversation_id = :conversation";
        }
        if (filter.endpoint.isPresent()) {
            return "AND endpoint_id = :endpoint";
        }
        boolean rare = filter.state.isPresent() && filter.state.get() != DeliveryState.DELIVERED;
        return rare ? "AND state = :state AND state <> 'DELIVERED'" : "";
    }

    private static Query bind(Query query, OrganizationId organization, DeliveryFilter filter) {
        return query.bind("organization", organization)
                .bind("conversation", filter.conversation)
                .bind("endpoint", filter.endpoint)
                .bind("state", filter.state)
                .bind("type", filter.type.map(EventType::text));
    }

    Optional<WebhookDelivery> find(OrganizationId organization, WebhookDeliveryId id) {
        return database.with(handle -> handle.createQuery("SELECT " + COLUMNS + " FROM webhook_delivery d " + JOINS
                        + "WHERE d.organization_id = :organization AND d.id = :id")
                .bind("organization", organization)
                .bind("id", id)
                .map(this::read)
                .findOne());
    }

    /** Oldest first. */
    List<DeliveryAttempt> attempts(OrganizationId organization, WebhookDeliveryId id) {
        return database.with(handle -> handle.createQuery("""
                        SELECT number, at, duration_ms, status, response, error FROM webhook_attempt
                        WHERE organization_id = :organization AND delivery_id = :id ORDER BY number""")
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(DeliveryAttempt.class)
                .list());
    }

    /**
     * Sends a delivery again with a new schedule and the same id. It gets its own queue, so that it neither waits for
     * others nor delays them.
     */
    ReplayResult replay(OrganizationId organization, WebhookDeliveryId id) {
        Optional<WebhookDelivery> found = find(organization, id);
        if (found.isEmpty()) {
            return ReplayResult.UNKNOWN;
        }
        WebhookDelivery delivery = found.get();
        if (delivery.state() == DeliveryState.PENDING) {
            return ReplayResult.PENDING;
        }
        String url = delivery.url();
        if (url == null) {
            return ReplayResult.IMPOSSIBLE;
        }
        return database.transaction(handle -> queue(handle, organization, delivery, url));
    }

    private ReplayResult queue(Handle handle, OrganizationId organization, WebhookDelivery delivery, String url) {
        Instant now = clock.instant();
        Optional<UUID> target = handle.createQuery("""
                        UPDATE webhook_delivery d SET state = 'PENDING', tries = 0, queue_id = id, queued_at = :now,
                            finished_at = NULL
                        WHERE organization_id = :organization AND id = :id AND state <> 'PENDING'
                          AND EXISTS (SELECT FROM event v
                              WHERE v.organization_id = d.organization_id AND v.id = d.event_id)
                          AND (endpoint_id IS NULL OR EXISTS (SELECT FROM webhook_endpoint p
                              WHERE p.organization_id = d.organization_id AND p.id = d.endpoint_id AND p.enabled
                                AND p.deleted_at IS NULL))
                        RETURNING target_id""")
                .bind("organization", organization)
                .bind("id", delivery.id())
                .bind("now", now)
                .mapTo(UUID.class)
                .findOne();
        if (target.isEmpty()) {
            return ReplayResult.IMPOSSIBLE;
        }
        var queue = new DeliveryQueue(organization, target.get(), delivery.id().value());
        String receiver = DeliveryQueue.receiver(url);
        handle.createUpdate("""
                        WITH fence AS MATERIALIZED (SELECT id FROM node WHERE id = :node FOR KEY SHARE)
                        INSERT INTO webhook_queue (organization_id, target_id, queue_id, callback_url, receiver, node_id,
                            due_at, last_sequence)
                        VALUES (:organization, :target, :queue, :callback, :receiver, (SELECT id FROM fence), :now,
                            :sequence)
                        ON CONFLICT (organization_id, target_id, queue_id) DO UPDATE SET due_at = EXCLUDED.due_at""")
                .bind("node", node.id())
                .bind("organization", organization)
                .bind("target", queue.target())
                .bind("queue", queue.id())
                .bind("callback", delivery.endpointId() == null ? url : null)
                .bind("receiver", receiver)
                .bind("now", now)
                .bind("sequence", delivery.sequence())
                .execute();
        sender.queued(queue, receiver);
        return ReplayResult.QUEUED;
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
                row.getColumn("created_at", Instant.class),
                row.getColumn("next_attempt_at", Instant.class),
                row.getColumn("finished_at", Instant.class));
    }
}
