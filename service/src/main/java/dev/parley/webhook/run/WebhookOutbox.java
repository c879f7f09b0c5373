package dev.parley.webhook.run;

import dev.parley.db.BatchInsert;
import dev.parley.event.ConversationCallbacks;
import dev.parley.event.Event;
import dev.parley.event.EventListener;
import dev.parley.id.ConversationId;
import dev.parley.node.NodeLease;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Queues deliveries in the transaction that records the events: one for the conversation's callback, and one for each
 * enabled endpoint that subscribes to the type. One statement for any number of events.
 *
 * <p>A new queue is owned by this node, or if the node was fenced by none, and any node adopts it.
 */
@Singleton
public final class WebhookOutbox implements EventListener {
    /**
     * A callback's delivery has its event's id. An endpoint's differs in the last 48 bits, a hash of event and
     * endpoint, which makes it unique and keeps the order of time.
     */
    private static final String ENQUEUE = """
            WITH fence AS MATERIALIZED (SELECT id FROM node WHERE id = ? FOR KEY SHARE),
            published AS MATERIALIZED (
                SELECT * FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::bigint[], ?::text[], ?::uuid[], ?::text[], ?::text[])
                    AS p (organization_id, event_id, stream_id, sequence, type, conversation_id, callback_url, receiver)
            ),
            wanted AS MATERIALIZED (
                SELECT organization_id, event_id AS id, event_id, stream_id, sequence, type, conversation_id,
                    conversation_id AS target_id, NULL::uuid AS endpoint_id, callback_url, receiver
                FROM published WHERE callback_url IS NOT NULL
                UNION ALL
                SELECT p.organization_id,
                    overlay(p.event_id::text PLACING left(md5(p.event_id::text || e.id::text), 12) FROM 25)::uuid,
                    p.event_id, p.stream_id, p.sequence, p.type, p.conversation_id, e.id, e.id, NULL, e.receiver
                FROM published p JOIN webhook_endpoint e ON e.organization_id = p.organization_id
                WHERE e.enabled AND e.deleted_at IS NULL AND p.type = ANY (e.event_types)
            ),
            queues AS (
                INSERT INTO webhook_queue AS q (organization_id, target_id, queue_id, callback_url, receiver, node_id,
                    due_at, last_sequence)
                SELECT organization_id, target_id, stream_id, max(callback_url), max(receiver), (SELECT id FROM fence),
                    ?, max(sequence)
                FROM wanted GROUP BY organization_id, target_id, stream_id
                ORDER BY organization_id, target_id, stream_id
                ON CONFLICT (organization_id, target_id, queue_id) DO UPDATE SET last_sequence = EXCLUDED.last_sequence,
                    due_at = CASE WHEN q.gone THEN EXCLUDED.due_at ELSE q.due_at END
                RETURNING q.organization_id, q.target_id, q.queue_id, q.receiver, q.node_id, q.due_at
            ),
            queued AS (
                INSERT INTO webhook_delivery (organization_id, id, event_id, type, target_id, queue_id, sequence,
                    endpoint_id, conversation_id, created_at, queued_at)
                SELECT organization_id, id, event_id, type, target_id, stream_id, sequence, endpoint_id,
                    conversation_id, ?, ?
                FROM wanted
            )
            SELECT organization_id, target_id, queue_id, receiver FROM queues
            WHERE node_id = (SELECT id FROM fence) AND due_at <= ?
            """;

    private final ConversationCallbacks callbacks;
    private final NodeLease node;
    private final WebhookSender sender;
    private final Clock clock;

    public WebhookOutbox(ConversationCallbacks callbacks, NodeLease node, WebhookSender sender, Clock clock) {
        this.callbacks = callbacks;
        this.node = node;
        this.sender = sender;
        this.clock = clock;
    }

    private record OutboxEvent(Event event, @Nullable String callback) {}

    @Override
    public void appended(Connection tx, List<Event> stored) throws SQLException {
        List<OutboxEvent> outboxEvents = stored.stream()
                .map(event -> new OutboxEvent(event, callback(event).orElse(null)))
                .toList();
        var now = clock.instant().atOffset(ZoneOffset.UTC);
        try (PreparedStatement statement = tx.prepareStatement(ENQUEUE)) {
            statement.setObject(1, node.id().value());
            new BatchInsert<>(statement, 2, outboxEvents)
                    .ids(one -> one.event.organization())
                    .ids(one -> one.event.id())
                    .uuids(one -> one.event.stream())
                    .longs(one -> one.event.sequence())
                    .texts(one -> one.event.type().text())
                    .ids(one -> one.event.conversation())
                    .texts(OutboxEvent::callback)
                    .texts(one -> one.callback == null ? null : DeliveryQueue.receiver(one.callback));
            for (int i = 10; i <= 13; i++) {
                statement.setObject(i, now);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sender.queued(DeliveryQueueStore.queue(rows), rows.getString(4));
                }
            }
        }
    }

    private Optional<String> callback(Event event) {
        ConversationId conversation = event.conversation();
        return conversation == null ? Optional.empty() : callbacks.url(event.organization(), conversation);
    }
}
