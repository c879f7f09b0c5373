package dev.parley.webhook.run;

import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.db.GroupCommit;
import dev.parley.event.Event;
import dev.parley.event.EventType;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WebhookDeliveryId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.NodeLease;
import dev.parley.settings.ServiceSize;
import dev.parley.webhook.secret.SecretCipher;
import dev.parley.webhook.secret.SigningSecret;
import dev.parley.webhook.secret.WebhookSecrets;
import dev.parley.work.OwnedKey;
import dev.parley.work.WorkStore;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jdbi.v3.core.Handle;

/** Reads this node's queues and their deliveries, always by index and in batches. */
@Singleton
public final class DeliveryQueueStore implements WorkStore<DeliveryQueue> {
    private static final Logger LOG = Logger.getLogger(DeliveryQueueStore.class);

    /** Queues read by one statement. */
    private static final int MAX_QUEUES = 64;

    /** The maximum number of deliveries read from one queue, and their maximum total characters. */
    private static final int MAX_READ_BATCH = 16;

    private static final int READ_SIZE = 32 * 1024;
    private static final int ADOPT_BATCH = 500;

    /** Receivers in index order, and for each the queues that are due first. */
    private static final String DUE_QUEUES = """
            WITH RECURSIVE r AS (
                (SELECT organization_id, receiver FROM webhook_queue WHERE node_id = ?
                 ORDER BY organization_id, receiver LIMIT 1)
                UNION ALL
                SELECT n.organization_id, n.receiver FROM r CROSS JOIN LATERAL (
                    SELECT organization_id, receiver FROM webhook_queue
                    WHERE node_id = ? AND (organization_id, receiver) > (r.organization_id, r.receiver)
                    ORDER BY organization_id, receiver LIMIT 1) n
            )
            SELECT q.organization_id, q.target_id, q.queue_id, q.receiver FROM r CROSS JOIN LATERAL (
                SELECT organization_id, target_id, queue_id, receiver FROM webhook_queue
                WHERE node_id = ? AND organization_id = r.organization_id AND receiver = r.receiver AND due_at <= ?
                ORDER BY due_at LIMIT ?) q
            """;

    /**
     * Reads the queues by primary key: the index on the owner looks as cheap to the planner, but would read all of
     * them.
     */
    static final String QUEUES_WITH_DELIVERIES = """
            SELECT k.organization_id, k.target_id, k.queue_id, q.receiver, q.last_sequence, q.gone, q.callback_url,
                q.planned_at,
                CASE WHEN e.enabled AND e.deleted_at IS NULL THEN e.url END AS url, e.secret,
                CASE WHEN e.previous_until > ? THEN e.previous_secret END AS previous_secret,
                o.deleted_at IS NULL AS alive, d.*
            FROM unnest(?::uuid[], ?::uuid[], ?::uuid[]) WITH ORDINALITY AS k (organization_id, target_id, queue_id, n)
            CROSS JOIN LATERAL (
                SELECT * FROM webhook_queue
                WHERE organization_id = k.organization_id AND target_id = k.target_id AND queue_id = k.queue_id OFFSET 0
            ) q
            JOIN organization o ON o.id = k.organization_id
            LEFT JOIN webhook_endpoint e ON e.organization_id = k.organization_id AND e.id = k.target_id
            LEFT JOIN LATERAL (
                SELECT w.id, w.event_id, w.sequence, w.attempts, w.tries, w.queued_at, ev.stream_id, ev.conversation_id,
                    ev.workflow_instance_id, ev.type, ev.at, ev.trace_context,
                    octet_length(ev.data) AS size,
                    CASE WHEN octet_length(ev.data) <= %d THEN ev.data END AS data,
                    sum(octet_length(ev.data)) OVER (ORDER BY w.sequence) AS total
                FROM (
                    SELECT * FROM webhook_delivery
                    WHERE organization_id = k.organization_id AND target_id = k.target_id AND queue_id = k.queue_id
                      AND state = 'PENDING'
                    ORDER BY sequence LIMIT %d
                ) w
                LEFT JOIN event ev ON ev.organization_id = w.organization_id AND ev.id = w.event_id
            ) d ON true
            WHERE q.node_id = ? AND (q.due_at <= ? OR q.gone) AND (d.size IS NULL OR d.total - d.size < %d)
            ORDER BY k.n, d.sequence
            """.formatted(READ_SIZE, MAX_READ_BATCH, READ_SIZE);

    private final Database database;
    private final NodeLease node;
    private final WebhookSecrets secrets;
    private final SecretCipher cipher;
    private final Clock clock;
    private final int keysPerGroup;
    private final GroupCommit<DeliveryQueue, Optional<DeliveryBatch>> reads;

    public DeliveryQueueStore(
            Database database,
            NodeLease node,
            WebhookSecrets secrets,
            SecretCipher cipher,
            Clock clock,
            ServiceSize size) {
        this.database = database;
        this.node = node;
        this.secrets = secrets;
        this.cipher = cipher;
        this.clock = clock;
        this.keysPerGroup = WebhookSender.limits(size).keysPerGroup();
        this.reads = new GroupCommit<>(
                "webhook-reads", size.commits().withWriters(size.byCores(1)), MAX_QUEUES, this::batches);
    }

    void stop(@Observes @Priority(110) ShutdownEvent event) {
        reads.close();
    }

    /** This node's due queues, up to a limit for each receiver. */
    @Override
    public List<OwnedKey<DeliveryQueue>> due(NodeId owner) {
        while (adoptUnowned(owner) > 0) {
            LOG.debug("Adopted delivery queues without an owner");
        }
        return database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(DUE_QUEUES)) {
                statement.setObject(1, owner.value());
                statement.setObject(2, owner.value());
                statement.setObject(3, owner.value());
                statement.setObject(4, now());
                statement.setInt(5, keysPerGroup);
                List<OwnedKey<DeliveryQueue>> due = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        DeliveryQueue queue = queue(rows);
                        due.add(new OwnedKey<>(queue, queue.group(rows.getString(4)), 0));
                    }
                }
                return due;
            }
        });
    }

    /** Adopts queues without an owner, left by a node that was fenced while it queued them. */
    private int adoptUnowned(NodeId owner) {
        return database.with(handle -> handle.execute("""
                        WITH fence AS MATERIALIZED (SELECT id FROM node WHERE id = ? FOR KEY SHARE),
                        free AS MATERIALIZED (
                            SELECT organization_id, target_id, queue_id FROM webhook_queue WHERE node_id IS NULL
                            LIMIT ? FOR UPDATE SKIP LOCKED)
                        UPDATE webhook_queue q SET node_id = fence.id FROM free, fence
                        WHERE q.organization_id = free.organization_id AND q.target_id = free.target_id
                          AND q.queue_id = free.queue_id""", owner.value(), ADOPT_BATCH));
    }

    @Override
    public void adopt(Handle handle, NodeId from, NodeId to) {
        handle.execute("UPDATE webhook_queue SET node_id = ? WHERE node_id = ?", to.value(), from.value());
    }

    /**
     * Reads the queue's next batch, in one statement with other queues. Empty if the queue's row was deleted, belongs to
     * another node, or is paused.
     */
    CompletableFuture<Optional<DeliveryBatch>> next(DeliveryQueue queue) {
        return reads.submit(queue);
    }

    private List<Optional<DeliveryBatch>> batches(List<DeliveryQueue> queues) {
        Map<DeliveryQueue, DeliveryBatch> batches =
                withSecrets(read(node.id(), queues.stream().distinct().toList()));
        return queues.stream()
                .map(queue -> Optional.ofNullable(batches.get(queue)))
                .toList();
    }

    private Map<DeliveryQueue, DeliveryBatch> withSecrets(Map<DeliveryQueue, DeliveryBatch> batches) {
        Map<OrganizationId, List<SigningSecret>> signing = secrets.signing(batches.values().stream()
                .filter(batch -> batch.secrets().isEmpty())
                .map(batch -> batch.queue().organization())
                .distinct()
                .toList());
        batches.replaceAll((queue, batch) -> batch.secrets().isEmpty()
                ? batch.withSecrets(signing.getOrDefault(queue.organization(), List.of()))
                : batch);
        return batches;
    }

    private Map<DeliveryQueue, DeliveryBatch> read(NodeId owner, List<DeliveryQueue> queues) {
        return database.jdbc(connection -> {
            Map<DeliveryQueue, DeliveryBatch> batches = new HashMap<>();
            try (PreparedStatement statement = connection.prepareStatement(QUEUES_WITH_DELIVERIES)) {
                statement.setObject(1, now());
                bind(statement, 2, queues, queue -> queue);
                statement.setObject(5, owner.value());
                statement.setObject(6, now());
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        DeliveryQueue queue = queue(rows);
                        DeliveryBatch batch = batches.get(queue);
                        if (batch == null) {
                            batch = head(rows, queue, owner);
                            batches.put(queue, batch);
                        }
                        if (rows.getObject("id") != null) {
                            batch.pending().add(pending(rows, queue.organization()));
                        }
                    }
                }
            }
            return batches;
        });
    }

    /** The row's batch, with the endpoint's secrets and without deliveries. */
    private DeliveryBatch head(ResultSet row, DeliveryQueue queue, NodeId owner) throws SQLException {
        boolean receiverGone = row.getBoolean("gone");
        String callback = row.getString("callback_url");
        String url = callback == null ? row.getString("url") : callback;
        List<SigningSecret> own = new ArrayList<>();
        for (String column : List.of("secret", "previous_secret")) {
            byte[] stored = row.getBytes(column);
            if (stored != null) {
                own.add(cipher.decrypt(queue.organization(), stored));
            }
        }
        OffsetDateTime planned = row.getObject("planned_at", OffsetDateTime.class);
        boolean open = !receiverGone && row.getBoolean("alive");
        return new DeliveryBatch(
                queue,
                owner,
                queue.group(row.getString("receiver")),
                open ? Optional.ofNullable(url) : Optional.empty(),
                callback != null,
                receiverGone,
                own,
                row.getLong("last_sequence"),
                Optional.ofNullable(planned).map(OffsetDateTime::toInstant),
                new ArrayList<>());
    }

    private static PendingDelivery pending(ResultSet row, OrganizationId organization) throws SQLException {
        EventId eventId = new EventId(row.getObject("event_id", UUID.class));
        String data = row.getString("data");
        return new PendingDelivery(
                new WebhookDeliveryId(row.getObject("id", UUID.class)),
                eventId,
                row.getLong("sequence"),
                row.getInt("attempts"),
                row.getInt("tries"),
                row.getObject("queued_at", OffsetDateTime.class).toInstant(),
                row.getInt("size"),
                data == null ? null : event(row, organization, eventId, data));
    }

    private static Event event(ResultSet row, OrganizationId organization, EventId id, String data)
            throws SQLException {
        UUID conversation = row.getObject("conversation_id", UUID.class);
        UUID instance = row.getObject("workflow_instance_id", UUID.class);
        return new Event(
                id,
                row.getObject("stream_id", UUID.class),
                row.getLong("sequence"),
                organization,
                conversation == null ? null : new ConversationId(conversation),
                instance == null ? null : new WorkflowInstanceId(instance),
                EventType.of(row.getString("type")).orElseThrow(),
                row.getObject("at", OffsetDateTime.class).toInstant(),
                data,
                row.getString("trace_context"));
    }

    private OffsetDateTime now() {
        return at(clock.instant());
    }

    static OffsetDateTime at(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    /** A queue from the first three columns. */
    static DeliveryQueue queue(ResultSet row) throws SQLException {
        return new DeliveryQueue(
                new OrganizationId(row.getObject(1, UUID.class)),
                row.getObject(2, UUID.class),
                Objects.requireNonNull(row.getObject(3, UUID.class)));
    }

    /** Binds the keys of the rows' queues. */
    static <T> BatchInsert<T> bind(
            PreparedStatement statement, int first, List<T> rows, Function<T, DeliveryQueue> queue)
            throws SQLException {
        return new BatchInsert<>(statement, first, rows)
                .ids(row -> queue.apply(row).organization())
                .uuids(row -> queue.apply(row).target())
                .uuids(row -> queue.apply(row).id());
    }
}
