package dev.parley.webhook.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collections;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Query plans for a backlog with outdated statistics, which make a scan of the whole backlog for every batch look
 * cheap.
 */
class StatementPlansTest {
    private static final int BACKLOG = 5_000;
    private static final int BATCH = 50;

    private final Database database = TestPostgres.migrated();
    private final UUID organization = UUID.randomUUID();
    private final UUID before = UUID.randomUUID();
    private final UUID now = UUID.randomUUID();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void resultsAreWrittenByPrimaryKeyDespiteOutdatedStatistics() {
        deliver("DELIVERED");
        analyze("webhook_delivery");
        deliver("PENDING");

        String plan = plan(DeliveryResultWriter.RESULTS, statement -> {
            statement.setObject(1, now);
            statement.setArray(2, repeated(statement, "uuid", organization));
            statement.setArray(3, ids(statement));
            statement.setArray(4, repeated(statement, "text", "DELIVERED"));
            statement.setArray(5, repeated(statement, "int4", 1));
            statement.setArray(6, repeated(statement, "int4", 1));
            statement.setArray(7, repeated(statement, "timestamptz", Timestamp.from(Instant.EPOCH)));
            statement.setArray(8, repeated(statement, "uuid", organization));
            statement.setArray(9, ids(statement));
            statement.setArray(10, repeated(statement, "int4", 1));
            statement.setArray(11, repeated(statement, "timestamptz", Timestamp.from(Instant.EPOCH)));
            statement.setArray(12, repeated(statement, "int4", 1));
            statement.setArray(13, repeated(statement, "int4", 200));
            statement.setArray(14, repeated(statement, "text", null));
            statement.setArray(15, repeated(statement, "text", null));
        });

        assertThat(plan).contains("using webhook_delivery_pkey").doesNotContain("webhook_delivery_waiting");
    }

    @Test
    void queuesAreReadByKeyEvenIfTheStatisticsLackTheirNode() {
        queue(before);
        analyze("webhook_queue");
        queue(now);

        String plan = plan(DeliveryQueueStore.QUEUES_WITH_DELIVERIES, statement -> {
            statement.setTimestamp(1, Timestamp.from(Instant.now()));
            statement.setArray(2, repeated(statement, "uuid", organization));
            statement.setArray(3, ids(statement));
            statement.setArray(4, ids(statement));
            statement.setObject(5, now);
            statement.setTimestamp(6, Timestamp.from(Instant.now()));
        });

        assertThat(plan).contains("using webhook_queue_pkey").doesNotContain("webhook_queue_due");
    }

    private void deliver(String state) {
        database.change(handle -> handle.execute("""
                INSERT INTO webhook_delivery (organization_id, id, event_id, type, target_id, queue_id, sequence, state,
                    created_at, queued_at)
                SELECT ?, gen_random_uuid(), gen_random_uuid(), 'message.created', md5((n % 64)::text)::uuid,
                    md5((n % 64)::text)::uuid, n, ?, now(), now()
                FROM generate_series(1, ?) n""", organization, state, BACKLOG));
    }

    private void queue(UUID owner) {
        database.change(handle -> {
            handle.execute("DELETE FROM webhook_queue");
            handle.execute("""
                    INSERT INTO webhook_queue (organization_id, target_id, queue_id, receiver, node_id, due_at, last_sequence)
                    SELECT ?, md5(n::text)::uuid, md5(n::text)::uuid, 'receiver', ?, now(), 1
                    FROM generate_series(1, ?) n""", organization, owner, owner.equals(now) ? BACKLOG : 64);
        });
    }

    private void analyze(String table) {
        database.change(handle -> handle.execute("ANALYZE " + table));
    }

    private interface Parameters {
        void bind(PreparedStatement statement) throws SQLException;
    }

    private String plan(String sql, Parameters parameters) {
        return database.jdbc((Connection connection) -> {
            try (PreparedStatement statement = connection.prepareStatement("EXPLAIN " + sql)) {
                parameters.bind(statement);
                var plan = new StringBuilder();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        plan.append(rows.getString(1)).append('\n');
                    }
                }
                return plan.toString();
            }
        });
    }

    private static Array ids(PreparedStatement statement) throws SQLException {
        return repeated(statement, "uuid", UUID.randomUUID());
    }

    private static Array repeated(PreparedStatement statement, String type, @Nullable Object one) throws SQLException {
        return statement
                .getConnection()
                .createArrayOf(type, Collections.nCopies(BATCH, one).toArray());
    }
}
