package dev.parley.webhook;

import dev.parley.event.EventTypeMapper;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WebhookDeliveryId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.node.NodeLease;
import dev.parley.webhook.run.DeliveryAttempt;
import dev.parley.webhook.run.DeliveryQueue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapper;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The tables of deliveries, as requests and maintenance use them. */
@RegisterColumnMapper(EventTypeMapper.class)
interface DeliveryStore {
    /** The maximum number of rows scanned for a page, so that a selective filter costs no more than a broad one. */
    int MAX_SCANNED_ROWS = 2_000;

    String COLUMNS = " " + """
            d.id, d.event_id, 'evt_' || replace(d.event_id::text, '-', '') AS webhook_id, d.type, d.sequence,
            d.conversation_id, d.endpoint_id, coalesce(e.url, c.callback_url) AS url,
            CASE WHEN d.state = 'PENDING' AND d.tries > 0 THEN 'RETRYING' ELSE d.state END AS state,
            d.attempts AS attempt_count, a.status AS last_status, a.error AS last_error, d.created_at,
            CASE WHEN isfinite(q.due_at) AND (d.tries > 0 OR q.due_at > :now) THEN q.due_at END AS next_attempt_at,
            CASE WHEN h.tries > 0 THEN h.id END AS blocked_by, d.finished_at
            """;

    String JOINS = """
            LEFT JOIN webhook_endpoint e ON e.organization_id = d.organization_id AND e.id = d.endpoint_id
            LEFT JOIN conversation c ON d.endpoint_id IS NULL AND c.organization_id = d.organization_id
                AND c.id = d.conversation_id
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

    /** Wakes paused queues, and remembers the planned times of their next attempts. */
    String WAKE = "UPDATE webhook_queue q SET due_at = :now, planned_at = q.due_at ";

    String WOKEN = " " + """
            AND q.organization_id = :organization AND q.due_at > :now AND isfinite(q.due_at)
            RETURNING q.organization_id AS organization, q.target_id AS target, q.queue_id AS id, q.receiver""";

    /** Creates a due queue for each of the {@code queued} deliveries, whose id is the queue's. */
    String OPEN_QUEUES = """
            INSERT INTO webhook_queue (organization_id, target_id, queue_id, callback_url, receiver, node_id, due_at,
                last_sequence)
            SELECT :organization, target_id, id, callback, :receiver, (SELECT id FROM fence), :now, sequence FROM queued
            ORDER BY 2, 3
            ON CONFLICT (organization_id, target_id, queue_id) DO UPDATE SET due_at = EXCLUDED.due_at
            RETURNING organization_id AS organization, target_id AS target, queue_id AS id, receiver""";

    /** A queue that is due now. */
    record DueQueue(@Nested DeliveryQueue queue, String receiver) {}

    /** A filter of deliveries; null members match all. */
    record DeliveryFilter(
            @Nullable ConversationId conversation,
            @Nullable WebhookEndpointId endpoint,
            @Nullable String state,
            @Nullable String type) {
        /** The index to scan: of the conversation, else of failures, else of the endpoint, else of the state. */
        String range() {
            if (conversation != null) {
                return "AND conversation_id = :conversation";
            }
            if (endpoint != null && !"FAILED".equals(state)) {
                return "AND endpoint_id = :endpoint";
            }
            return state == null || state.equals("DELIVERED")
                    ? ""
                    : "AND state = :storedState AND state <> 'DELIVERED'";
        }

        public @Nullable String storedState() {
            return "RETRYING".equals(state) ? "PENDING" : state;
        }
    }

    /**
     * A row of the scan.
     *
     * @param scanned the number of rows up to this one
     */
    record ScannedDelivery(@Nested WebhookDelivery delivery, boolean matches, int scanned) {}

    /** The matching deliveries, newest first, and the last of the scanned rows. */
    @SqlQuery("SELECT" + COLUMNS + """
            , d.matches, d.scanned FROM (
                SELECT *, row_number() OVER (ORDER BY id DESC) AS scanned,
                    (:type::text IS NULL OR type = :type) AND (:endpoint::uuid IS NULL OR endpoint_id = :endpoint)
                    AND (:state::text IS NULL
                        OR CASE WHEN state = 'PENDING' AND tries > 0 THEN 'RETRYING' ELSE state END = :state) AS matches
                FROM (SELECT * FROM webhook_delivery
                    WHERE organization_id = :organization
                      AND id < coalesce(:after::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') <range>
                    ORDER BY id DESC LIMIT\s""" + MAX_SCANNED_ROWS + """
                ) b
            ) d
            """ + JOINS + "WHERE d.matches OR d.scanned = "
            + MAX_SCANNED_ROWS + " ORDER BY d.id DESC LIMIT :limit")
    List<ScannedDelivery> scan(
            OrganizationId organization,
            @BindMethods DeliveryFilter filter,
            @Define String range,
            Optional<WebhookDeliveryId> after,
            int limit,
            Instant now);

    @SqlQuery("SELECT" + COLUMNS + "FROM webhook_delivery d " + JOINS
            + "WHERE d.organization_id = :organization AND d.id = :id")
    Optional<WebhookDelivery> find(OrganizationId organization, WebhookDeliveryId id, Instant now);

    /** Oldest first. */
    @SqlQuery("""
            SELECT number, at, duration_ms, status, response, error FROM webhook_attempt
            WHERE organization_id = :organization AND delivery_id = :id ORDER BY number""")
    List<DeliveryAttempt> attempts(OrganizationId organization, WebhookDeliveryId id);

    /** The attempts of an endpoint's deliveries per interval, oldest first; intervals without attempts are missing. */
    @SqlQuery("""
            SELECT date_bin(:seconds * interval '1 second', a.at, :since::timestamptz) AS "from",
                count(*) FILTER (WHERE a.status BETWEEN 200 AND 299) AS succeeded,
                count(*) FILTER (WHERE a.status IS NULL OR a.status NOT BETWEEN 200 AND 299) AS failed,
                percentile_disc(0.5) WITHIN GROUP (ORDER BY a.duration_ms) AS median_ms
            FROM (SELECT id FROM webhook_delivery
                WHERE organization_id = :organization AND endpoint_id = :endpoint AND id >= :oldest
                ORDER BY id DESC LIMIT\s""" + AttemptCounts.DELIVERIES + """
            ) d
            JOIN webhook_attempt a ON a.organization_id = :organization AND a.delivery_id = d.id
            WHERE a.at >= :since
            GROUP BY 1 ORDER BY 1""")
    List<AttemptCounts> attemptCounts(
            OrganizationId organization, WebhookEndpointId endpoint, UUID oldest, Instant since, long seconds);

    /** The failed deliveries of an endpoint whose events exist, those that failed first. */
    @SqlQuery("""
            SELECT id FROM webhook_delivery d
            WHERE organization_id = :organization AND endpoint_id = :endpoint AND state = 'FAILED'
              AND EXISTS (SELECT FROM event v WHERE v.organization_id = d.organization_id AND v.id = d.event_id)
            ORDER BY finished_at LIMIT :limit""")
    List<UUID> failed(OrganizationId organization, WebhookEndpointId endpoint, int limit);

    /** Wakes the queue of a pending delivery. */
    @SqlQuery(WAKE + """
            FROM webhook_delivery d
            WHERE d.organization_id = :organization AND d.id = :id AND d.state = 'PENDING'
              AND q.target_id = d.target_id AND q.queue_id = d.queue_id""" + WOKEN)
    List<DueQueue> wake(OrganizationId organization, WebhookDeliveryId id, Instant now);

    /** Wakes the queues of an endpoint. */
    @SqlQuery(WAKE + "WHERE q.target_id = :endpoint" + WOKEN)
    List<DueQueue> wakeAll(OrganizationId organization, WebhookEndpointId endpoint, Instant now);

    /** Starts the schedules of finished deliveries again, of those that can be sent. */
    @SqlQuery(NodeLease.NAMED_FENCE + """
            , queued AS (
                UPDATE webhook_delivery d SET state = 'PENDING', tries = 0, queue_id = id, queued_at = :now,
                    finished_at = NULL
                WHERE organization_id = :organization AND id = ANY (:ids) AND state <> 'PENDING'
                  AND EXISTS (SELECT FROM event v WHERE v.organization_id = d.organization_id AND v.id = d.event_id)
                  AND (endpoint_id IS NULL OR EXISTS (SELECT FROM webhook_endpoint p
                      WHERE p.organization_id = d.organization_id AND p.id = d.endpoint_id AND p.enabled
                        AND p.deleted_at IS NULL))
                RETURNING target_id, id, sequence, :callback::text AS callback
            )
            """ + OPEN_QUEUES)
    List<DueQueue> restart(
            OrganizationId organization,
            List<UUID> ids,
            @Nullable String callback,
            String receiver,
            NodeId node,
            Instant now);

    /** Queues an event for one endpoint; the delivery has the event's id. */
    @SqlQuery(NodeLease.NAMED_FENCE + """
            , queued AS (
                INSERT INTO webhook_delivery (organization_id, id, event_id, type, target_id, queue_id, sequence,
                    endpoint_id, created_at, queued_at)
                VALUES (:organization, :id, :id, :type, :endpoint, :id, :sequence, :endpoint, :now, :now)
                RETURNING target_id, id, sequence, NULL AS callback
            )
            """ + OPEN_QUEUES)
    DueQueue insert(
            OrganizationId organization,
            EventId id,
            String type,
            WebhookEndpointId endpoint,
            long sequence,
            String receiver,
            NodeId node,
            Instant now);

    @SqlQuery("SELECT id FROM organization")
    List<OrganizationId> organizations();

    /** Deletes up to 2,000 deliveries with lower ids, and their attempts; never pending ones. */
    @SqlUpdate("""
            DELETE FROM webhook_delivery WHERE organization_id = :organization AND id IN (
                SELECT id FROM webhook_delivery
                WHERE organization_id = :organization AND id < :before AND state <> 'PENDING' ORDER BY id LIMIT 2000)""")
    int deleteBefore(OrganizationId organization, UUID before);
}
