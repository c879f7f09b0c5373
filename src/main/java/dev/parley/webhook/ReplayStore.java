package dev.parley.webhook;

import dev.parley.db.Database;
import dev.parley.event.Event;
import dev.parley.event.EventLog;
import dev.parley.event.EventType;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WebhookDeliveryId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.node.NodeLease;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Sends deliveries on request: replays, retries before their time, and pings. A replay and a ping get a queue of their
 * own, so that they neither wait for other deliveries nor delay them.
 */
@Singleton
public final class ReplayStore {
    /** The maximum number of deliveries that one request replays. */
    static final int MAX_AT_ONCE = 500;

    private final Database database;
    private final DeliveryStore deliveries;
    private final EventLog events;
    private final NodeLease node;
    private final WebhookSender sender;
    private final Clock clock;

    /** The result of a replay request. */
    enum ReplayResult {
        QUEUED,
        /** It has not been tried yet, or is being sent. */
        PENDING,
        /** The event has been deleted, or its endpoint is disabled or deleted. */
        IMPOSSIBLE,
        UNKNOWN
    }

    /**
     * The result of replaying an endpoint's failed deliveries.
     *
     * @param more whether failed ones are left
     */
    record FailedReplay(int queued, boolean more) {}

    public ReplayStore(
            Database database,
            DeliveryStore deliveries,
            EventLog events,
            NodeLease node,
            WebhookSender sender,
            Clock clock) {
        this.database = database;
        this.deliveries = deliveries;
        this.events = events;
        this.node = node;
        this.sender = sender;
        this.clock = clock;
    }

    /**
     * Sends a delivery again with the same id: one that waits for its next attempt at once, a queued one after the
     * deliveries before it, and a finished one with a new schedule.
     */
    ReplayResult replay(OrganizationId organization, WebhookDeliveryId id) {
        Optional<WebhookDelivery> found = deliveries.find(organization, id);
        if (found.isEmpty()) {
            return ReplayResult.UNKNOWN;
        }
        WebhookDelivery delivery = found.get();
        String url = delivery.url();
        if (delivery.state() == DeliveryState.PENDING && delivery.nextAttemptAt() == null) {
            return ReplayResult.PENDING;
        }
        if (url == null) {
            return ReplayResult.IMPOSSIBLE;
        }
        return database.transaction(handle -> {
            if (delivery.state() == DeliveryState.RETRYING || delivery.state() == DeliveryState.PENDING) {
                return isReceiverEnabled(handle, organization, delivery.endpointId())
                        ? retryNow(handle, organization, id)
                        : ReplayResult.IMPOSSIBLE;
            }
            String callback = delivery.endpointId() == null ? url : null;
            return replay(handle, organization, List.of(id.value()), url, callback) == 1
                    ? ReplayResult.QUEUED
                    : ReplayResult.IMPOSSIBLE;
        });
    }

    private static boolean isReceiverEnabled(
            Handle handle, OrganizationId organization, @Nullable WebhookEndpointId endpoint) {
        return endpoint == null
                || handle.createQuery("""
                                SELECT EXISTS (SELECT FROM webhook_endpoint
                                WHERE organization_id = :organization AND id = :id AND enabled AND deleted_at IS NULL)""")
                        .bind("organization", organization)
                        .bind("id", endpoint)
                        .mapTo(Boolean.class)
                        .one();
    }

    private ReplayResult retryNow(Handle handle, OrganizationId organization, WebhookDeliveryId id) {
        return wake(handle, organization, """
                        FROM webhook_delivery d
                        WHERE d.organization_id = :organization AND d.id = :id AND d.state = 'PENDING'
                          AND q.organization_id = d.organization_id AND q.target_id = d.target_id
                          AND q.queue_id = d.queue_id""", id.value()) == 1 ? ReplayResult.QUEUED : ReplayResult.PENDING;
    }

    /** Makes paused queues due, remembers the planned times of their next attempts, and returns the number of queues. */
    private int wake(Handle handle, OrganizationId organization, String which, UUID id) {
        return handle.createQuery("UPDATE webhook_queue q SET due_at = :now, planned_at = q.due_at " + which + """
                         AND q.due_at > :now AND isfinite(q.due_at)
                        RETURNING q.target_id, q.queue_id, q.receiver""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("now", clock.instant())
                .map((row, _) -> {
                    var queue =
                            new DeliveryQueue(organization, row.getObject(1, UUID.class), row.getObject(2, UUID.class));
                    sender.queued(queue, row.getString(3));
                    return queue;
                })
                .list()
                .size();
    }

    /** Replays the failed deliveries of an enabled endpoint, oldest first, and retries those that wait. */
    FailedReplay replayFailed(OrganizationId organization, WebhookEndpoint endpoint) {
        return database.transaction(handle -> {
            List<UUID> failed = handle.createQuery("""
                            SELECT id FROM webhook_delivery d
                            WHERE organization_id = :organization AND endpoint_id = :endpoint AND state = 'FAILED'
                              AND EXISTS (SELECT FROM event v
                                  WHERE v.organization_id = d.organization_id AND v.id = d.event_id)
                            ORDER BY finished_at LIMIT :limit""")
                    .bind("organization", organization)
                    .bind("endpoint", endpoint.id())
                    .bind("limit", MAX_AT_ONCE + 1)
                    .mapTo(UUID.class)
                    .list();
            boolean more = failed.size() > MAX_AT_ONCE;
            List<UUID> first = more ? failed.subList(0, MAX_AT_ONCE) : failed;
            int waiting = wake(
                    handle,
                    organization,
                    "WHERE q.organization_id = :organization AND q.target_id = :id",
                    endpoint.id().value());
            return new FailedReplay(waiting + replay(handle, organization, first, endpoint.url(), null), more);
        });
    }

    /** Sends a test event to an enabled endpoint; empty if it was disabled or deleted meanwhile. */
    Optional<WebhookDeliveryId> ping(OrganizationId organization, WebhookEndpoint endpoint) {
        return database.transaction(handle -> {
            if (!isReceiverEnabled(handle, organization, endpoint.id())) {
                return Optional.empty();
            }
            Event event = append(handle, organization, endpoint);
            handle.createUpdate("""
                            INSERT INTO webhook_delivery (organization_id, id, event_id, type, target_id, queue_id,
                                sequence, endpoint_id, created_at, queued_at)
                            VALUES (:organization, :id, :id, :type, :endpoint, :id, :sequence, :endpoint, :now, :now)""")
                    .bind("organization", organization)
                    .bind("id", event.id())
                    .bind("type", event.type().text())
                    .bind("endpoint", endpoint.id())
                    .bind("sequence", event.sequence())
                    .bind("now", clock.instant())
                    .execute();
            openQueues(handle, organization, List.of(event.id().value()), endpoint.url(), null);
            return Optional.of(new WebhookDeliveryId(event.id().value()));
        });
    }

    private Event append(Handle handle, OrganizationId organization, WebhookEndpoint endpoint) {
        try {
            return events.appendForReceiver(
                    handle.getConnection(),
                    organization,
                    endpoint.id().value(),
                    EventType.ENDPOINT_PING,
                    StrictJson.write(endpoint));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts the schedules of finished deliveries again and returns the number of those that can be sent. */
    private int replay(
            Handle handle, OrganizationId organization, List<UUID> ids, String url, @Nullable String callback) {
        List<UUID> queued = handle.createQuery("""
                        UPDATE webhook_delivery d SET state = 'PENDING', tries = 0, queue_id = id, queued_at = :now,
                            finished_at = NULL
                        WHERE organization_id = :organization AND id = ANY (:ids) AND state <> 'PENDING'
                          AND EXISTS (SELECT FROM event v
                              WHERE v.organization_id = d.organization_id AND v.id = d.event_id)
                          AND (endpoint_id IS NULL OR EXISTS (SELECT FROM webhook_endpoint p
                              WHERE p.organization_id = d.organization_id AND p.id = d.endpoint_id AND p.enabled
                                AND p.deleted_at IS NULL))
                        RETURNING id""")
                .bind("organization", organization)
                .bindArray("ids", UUID.class, ids)
                .bind("now", clock.instant())
                .mapTo(UUID.class)
                .list();
        openQueues(handle, organization, queued, url, callback);
        return queued.size();
    }

    /** Creates a due queue for each delivery, whose id is the queue's. */
    private void openQueues(
            Handle handle, OrganizationId organization, List<UUID> ids, String url, @Nullable String callback) {
        String receiver = DeliveryQueue.receiver(url);
        Instant now = clock.instant();
        handle.createQuery("""
                        WITH fence AS MATERIALIZED (SELECT id FROM node WHERE id = :node FOR KEY SHARE)
                        INSERT INTO webhook_queue (organization_id, target_id, queue_id, callback_url, receiver, node_id,
                            due_at, last_sequence)
                        SELECT :organization, d.target_id, d.id, :callback, :receiver, (SELECT id FROM fence), :now, d.sequence
                        FROM webhook_delivery d WHERE d.organization_id = :organization AND d.id = ANY (:ids)
                        ORDER BY d.target_id, d.id
                        ON CONFLICT (organization_id, target_id, queue_id) DO UPDATE SET due_at = EXCLUDED.due_at
                        RETURNING target_id, queue_id""")
                .bind("node", node.id())
                .bind("organization", organization)
                .bindArray("ids", UUID.class, ids)
                .bind("callback", callback)
                .bind("receiver", receiver)
                .bind("now", now)
                .map((row, _) ->
                        new DeliveryQueue(organization, row.getObject(1, UUID.class), row.getObject(2, UUID.class)))
                .list()
                .forEach(queue -> sender.queued(queue, receiver));
    }
}
