package dev.parley.webhook.run;

import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.db.GroupCommit;
import dev.parley.event.CallbackResultListener;
import dev.parley.event.Event;
import dev.parley.id.NodeId;
import dev.parley.metrics.Metric;
import dev.parley.node.NodeLease;
import dev.parley.settings.ServiceSize;
import dev.parley.webhook.run.DeliveryResult.DeliveredResult;
import dev.parley.webhook.run.DeliveryResult.QueueChange;
import dev.parley.webhook.run.DeliveryResult.WrittenResult;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Stores the results of deliveries, of many queues in one transaction: states and attempts, the statuses of messages,
 * and finally the queues.
 *
 * <p>Queues come last and are locked in the outbox's order: a transaction that queues events locks its streams before
 * it locks a queue.
 */
@Singleton
public final class DeliveryResultWriter {
    static final String DISABLED_REASON = "The receiver returned 410 Gone.";
    private static final int BATCH = 200;
    private static final Duration BATCH_DELAY = Duration.ofMillis(5);

    /**
     * The state is compared as an expression, so that deliveries are found by primary key. With statistics from a time
     * without pending deliveries, the planner preferred the index of pending ones, which read the whole backlog for
     * each batch: sending it took an hour instead of a minute.
     */
    static final String RESULTS = NodeLease.FENCE + """
            , done AS (
                UPDATE webhook_delivery d SET state = u.state, attempts = d.attempts + u.sent, tries = d.tries + u.counted,
                    finished_at = CASE WHEN u.state = 'PENDING' THEN NULL ELSE u.at END
                FROM unnest(?::uuid[], ?::uuid[], ?::text[], ?::int[], ?::int[], ?::timestamptz[])
                    AS u (organization_id, id, state, sent, counted, at), fence
                WHERE d.organization_id = u.organization_id AND d.id = u.id AND d.state || '' = 'PENDING'
            ), tried AS (
                INSERT INTO webhook_attempt (organization_id, delivery_id, number, at, duration_ms, status, response, error)
                SELECT u.* FROM unnest(?::uuid[], ?::uuid[], ?::int[], ?::timestamptz[], ?::int[], ?::int[], ?::text[],
                    ?::text[]) AS u, fence
                ON CONFLICT DO NOTHING
            )
            SELECT count(*) FROM fence
            """;

    private static final String PAUSE = """
            UPDATE webhook_queue q SET due_at = u.until, planned_at = NULL
            FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::timestamptz[]) AS u (organization_id, target_id, queue_id, until)
            WHERE q.organization_id = u.organization_id AND q.target_id = u.target_id AND q.queue_id = u.queue_id
            """;

    /**
     * Skips a queue that is locked because events are being added: it is not finished, and waiting would delay others.
     */
    private static final String CLOSE = """
            WITH done AS MATERIALIZED (
                SELECT q.organization_id, q.target_id, q.queue_id, q.gone
                FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::bigint[]) AS u (organization_id, target_id, queue_id, seen)
                JOIN webhook_queue q ON q.organization_id = u.organization_id AND q.target_id = u.target_id
                    AND q.queue_id = u.queue_id AND q.last_sequence = u.seen
                FOR UPDATE OF q SKIP LOCKED
            ), kept AS (
                UPDATE webhook_queue q SET due_at = 'infinity' FROM done
                WHERE q.organization_id = done.organization_id AND q.target_id = done.target_id
                  AND q.queue_id = done.queue_id AND done.gone
            ), closed AS (
                DELETE FROM webhook_queue q USING done
                WHERE q.organization_id = done.organization_id AND q.target_id = done.target_id
                  AND q.queue_id = done.queue_id AND NOT done.gone
            )
            SELECT organization_id, target_id, queue_id FROM done
            """;

    private final Database database;
    private final NodeLease node;
    private final Instance<CallbackResultListener> listeners;
    private final Clock clock;
    private final GroupCommit<DeliveryResult, WrittenResult> commits;

    public DeliveryResultWriter(
            Database database,
            NodeLease node,
            @Any Instance<CallbackResultListener> listeners,
            Clock clock,
            ServiceSize size) {
        this.database = database;
        this.node = node;
        this.listeners = listeners;
        this.clock = clock;
        this.commits = new GroupCommit<DeliveryResult, WrittenResult>(
                        "webhook-reports", size.commits().withWriters(1), BATCH, this::write)
                .gatheringFor(BATCH_DELAY);
    }

    void stop(@Observes @Priority(110) ShutdownEvent event) {
        commits.close();
    }

    /** Queues the result; completes after its commit. */
    CompletableFuture<WrittenResult> submit(DeliveryResult result) {
        return commits.submit(result);
    }

    private List<WrittenResult> write(List<DeliveryResult> results) {
        NodeId self = node.id();
        List<DeliveryResult> own =
                results.stream().filter(result -> result.owner().equals(self)).toList();
        Optional<Set<DeliveryQueue>> closed =
                own.isEmpty() ? Optional.empty() : database.jdbcTransaction(connection -> write(connection, self, own));
        closed.ifPresent(_ -> own.stream()
                .flatMap(result -> result.result().stream())
                .forEach(delivered -> count(delivered.state())));
        List<WrittenResult> written = new ArrayList<>();
        for (DeliveryResult result : results) {
            if (closed.isEmpty() || !result.owner().equals(self)) {
                written.add(WrittenResult.FENCED);
            } else {
                written.add(closed.get().contains(result.queue()) ? WrittenResult.CLOSED : WrittenResult.DONE);
            }
        }
        return written;
    }

    private static void count(DeliveryState stored) {
        DeliveryState outcome = stored == DeliveryState.PENDING ? DeliveryState.RETRYING : stored;
        Metric.WEBHOOK_DELIVERIES
                .counter(outcome.name().toLowerCase(Locale.ROOT))
                .increment();
    }

    /** The queues that are now closed; empty if the node was fenced. */
    private Optional<Set<DeliveryQueue>> write(Connection tx, NodeId self, List<DeliveryResult> results)
            throws SQLException {
        if (!writeResults(tx, self, results)) {
            return Optional.empty();
        }
        notifyListeners(tx, results, DeliveryState.DELIVERED);
        notifyListeners(tx, results, DeliveryState.FAILED);
        List<DeliveryResult> sorted = results.stream()
                .sorted((a, b) -> a.queue().compareTo(b.queue()))
                .toList();
        pause(tx, sorted);
        for (DeliveryResult result : sorted) {
            switch (result.change()) {
                case QueueChange.QueueGone() -> markGone(tx, result.queue());
                case QueueChange.Reactivate(var _) ->
                    reactivate(tx, result.queue().target(), result);
                case QueueChange.NoChange(), QueueChange.Pause(var _), QueueChange.Close(var _) -> {
                    // Written by the batch.
                }
            }
        }
        return Optional.of(close(tx, sorted));
    }

    private record ResultRow(DeliveryQueue queue, DeliveredResult delivered) {
        DeliveryAttempt attempt() {
            return Objects.requireNonNull(delivered.attempt());
        }
    }

    private boolean writeResults(Connection tx, NodeId self, List<DeliveryResult> results) throws SQLException {
        List<ResultRow> delivered = results.stream()
                .flatMap(result -> result.result().map(of -> new ResultRow(result.queue(), of)).stream())
                .toList();
        List<ResultRow> attempted = delivered.stream()
                .filter(row -> row.delivered.attempt() != null)
                .toList();
        Instant now = clock.instant();
        try (PreparedStatement statement = tx.prepareStatement(RESULTS)) {
            statement.setObject(1, self.value());
            int next = new BatchInsert<>(statement, 2, delivered)
                    .ids(row -> row.queue.organization())
                    .ids(row -> row.delivered.delivery().id())
                    .texts(row -> row.delivered.state().name())
                    .integers(row -> row.delivered.attempt() == null ? 0 : 1)
                    .integers(row -> row.delivered.counts() ? 1 : 0)
                    .times(_ -> now)
                    .next();
            new BatchInsert<>(statement, next, attempted)
                    .ids(row -> row.queue.organization())
                    .ids(row -> row.delivered.delivery().id())
                    .integers(row -> row.attempt().number())
                    .times(row -> row.attempt().at())
                    .integers(row -> row.attempt().durationMs())
                    .integers(row -> row.attempt().status())
                    .texts(row -> row.attempt().response())
                    .texts(row -> row.attempt().error());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() && rows.getInt(1) == 1;
            }
        }
    }

    private void notifyListeners(Connection tx, List<DeliveryResult> results, DeliveryState state) throws SQLException {
        List<Event> events = results.stream()
                .flatMap(result -> result.result().stream())
                .filter(delivered -> delivered.state() == state)
                .map(DeliveredResult::callbackEvent)
                .filter(Objects::nonNull)
                .toList();
        if (events.isEmpty()) {
            return;
        }
        for (CallbackResultListener listener : listeners) {
            if (state == DeliveryState.DELIVERED) {
                listener.delivered(tx, events);
            } else {
                listener.failed(tx, events);
            }
        }
    }

    private static void pause(Connection tx, List<DeliveryResult> results) throws SQLException {
        List<DeliveryResult> paused = results.stream()
                .filter(result -> result.change() instanceof QueueChange.Pause)
                .toList();
        if (paused.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = tx.prepareStatement(PAUSE)) {
            DeliveryQueueStore.bind(statement, 1, paused, DeliveryResult::queue)
                    .times(result -> result.change() instanceof QueueChange.Pause(var until) ? until : null);
            statement.executeUpdate();
        }
    }

    /** A callback's queue remains as a marker; an endpoint is disabled for all its queues. */
    private void markGone(Connection tx, DeliveryQueue queue) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement("""
                UPDATE webhook_queue SET gone = true
                WHERE organization_id = ? AND target_id = ? AND queue_id = ? AND callback_url IS NOT NULL
                """)) {
            statement.setObject(1, queue.organization().value());
            statement.setObject(2, queue.target());
            statement.setObject(3, queue.id());
            statement.executeUpdate();
        }
        try (PreparedStatement statement = tx.prepareStatement("""
                UPDATE webhook_endpoint SET enabled = false, disabled_reason = ?, updated_at = ?,
                    updated_by = 'system', revision = revision + 1
                WHERE organization_id = ? AND id = ? AND enabled
                """)) {
            statement.setString(1, DISABLED_REASON);
            statement.setObject(2, DeliveryQueueStore.at(clock.instant()));
            statement.setObject(3, queue.organization().value());
            statement.setObject(4, queue.target());
            statement.executeUpdate();
        }
    }

    private static void reactivate(Connection tx, UUID conversation, DeliveryResult result) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement("""
                UPDATE webhook_queue SET gone = false
                WHERE organization_id = ? AND target_id = ? AND queue_id = target_id AND gone
                """)) {
            statement.setObject(1, result.queue().organization().value());
            statement.setObject(2, conversation);
            statement.executeUpdate();
        }
    }

    private static Set<DeliveryQueue> close(Connection tx, List<DeliveryResult> results) throws SQLException {
        List<DeliveryResult> ended =
                results.stream().filter(result -> sequence(result) != null).toList();
        Set<DeliveryQueue> closed = new HashSet<>();
        if (ended.isEmpty()) {
            return closed;
        }
        try (PreparedStatement statement = tx.prepareStatement(CLOSE)) {
            DeliveryQueueStore.bind(statement, 1, ended, DeliveryResult::queue).longs(DeliveryResultWriter::sequence);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    closed.add(DeliveryQueueStore.queue(rows));
                }
            }
        }
        return closed;
    }

    private static @Nullable Long sequence(DeliveryResult result) {
        return switch (result.change()) {
            case QueueChange.Close(long last) -> last;
            case QueueChange.Reactivate(long last) -> last;
            case QueueChange.NoChange(), QueueChange.Pause(var _), QueueChange.QueueGone() -> null;
        };
    }
}
