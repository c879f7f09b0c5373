package dev.parley.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.TestClock;
import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.monitoring.BacklogStore.Backlog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BacklogStoreTest {
    private static final Instant NOW = Instant.parse("2030-01-31T12:00:00Z");

    private final Database database = TestPostgres.migrated();
    private final BacklogStore store = database.statements(BacklogStore.class);
    private final UUID organization = UUID.randomUUID();
    private final UUID deleted = UUID.randomUUID();

    @BeforeEach
    void organizations() {
        database.change(handle -> {
            handle.execute("INSERT INTO organization (id, name, created_at) VALUES (?, 'Acme', now())", organization);
            handle.execute(
                    "INSERT INTO organization (id, name, created_at, deleted_at) VALUES (?, 'Gone', now(), now())",
                    deleted);
        });
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void nothingWaitsInAnEmptyDatabase() {
        assertThat(store.read(NOW)).isEqualTo(new Backlog(0, 0, 0));
    }

    @Test
    void ticketsOfDeletedOrganizationsAndEndedOnesDoNotCount() {
        tickets(organization, "OPEN", 3, null);
        tickets(organization, "OPEN", 2, NOW.minusSeconds(1));
        tickets(organization, "OPEN", 5, NOW.plusSeconds(1));
        tickets(organization, "CLOSED", 7, NOW.minusSeconds(1));
        tickets(deleted, "OPEN", 11, NOW.minusSeconds(1));

        assertThat(store.read(NOW)).isEqualTo(new Backlog(10, 2, 0));
    }

    @Test
    void theOldestMessageHasNoResultAndNoUnfinishedInstanceBeforeIt() {
        UUID behindARun = conversation(
                message("USER_INPUT", "DELIVERED", Duration.ofDays(3)),
                message("USER_INPUT", "RECEIVED", Duration.ofDays(2)));
        run(behindARun, "PAUSED");
        UUID afterARun = conversation(
                message("USER_INPUT", "DELIVERED", Duration.ofHours(3)),
                message("SYSTEM", "RECEIVED", Duration.ofHours(2)),
                message("USER_INPUT", "PROCESSING", Duration.ofMinutes(10)),
                message("USER_INPUT", "RECEIVED", Duration.ofMinutes(5)));
        run(afterARun, "COMPLETED");
        conversation(message("USER_INPUT", "RECEIVED", Duration.ofMinutes(7)));

        assertThat(store.read(NOW).oldestSeconds()).isEqualTo(600);
    }

    /** Also with statistics of an empty database, which every table outgrows. */
    @Test
    void everyTableIsReadByIndex() {
        String before = plan();
        tickets(organization, "CLOSED", 20_000, null);
        tickets(organization, "OPEN", 100, null);
        database.change(handle -> handle.execute("ANALYZE"));

        assertThat(List.of(before, plan())).allSatisfy(plan -> assertThat(plan)
                .contains("using ticket_by_status", "using message_pkey", "using workflow_instance_of_conversation")
                .doesNotContain("Seq Scan on ticket", "Seq Scan on message", "Seq Scan on workflow", "Bitmap"));
    }

    @Test
    void isUnknownWithoutADatabase() throws Exception {
        var metrics = new BacklogMetrics(database, new TestClock());
        database.close();

        metrics.refresh().get();

        assertThat(metrics.latest()).isEqualTo(Backlog.UNKNOWN);
    }

    private String plan() {
        return database.with(handle -> String.join(
                "\n",
                handle.createQuery("EXPLAIN " + BacklogStore.BACKLOG)
                        .bind("now", NOW)
                        .mapTo(String.class)
                        .list()));
    }

    private void tickets(UUID of, String status, int count, @Nullable Instant due) {
        database.change(handle -> handle.createUpdate("""
                        INSERT INTO ticket (organization_id, id, number, rule_type, title, description, status, priority,
                            assignments, workflow_id, workflow_version, workflow_name, workflow_instance_id, task_id,
                            task_name, attempt, test_run, form, inputs, input_preview, search_text, changes, due_at,
                            created_at, updated_at)
                        SELECT :of, gen_random_uuid(), n + (SELECT count(*) FROM ticket WHERE organization_id = :of),
                            'APPROVAL', 'Approve', '', :status, 'NORMAL', '[]', gen_random_uuid(), 1, 'Flow',
                            gen_random_uuid(), 'approve', 'Approve', 1, false, '{}', '{}', '', '', 0, :due, now(), now()
                        FROM generate_series(1, :count) n""")
                .bind("of", of)
                .bind("status", status)
                .bind("count", count)
                .bind("due", due)
                .execute());
    }

    private record TestMessage(String type, String status, Duration age) {}

    private static TestMessage message(String type, String status, Duration age) {
        return new TestMessage(type, status, age);
    }

    /** A leased conversation, whose first message is the lower bound. */
    private UUID conversation(TestMessage... messages) {
        UUID conversation = UUID.randomUUID();
        database.change(handle -> {
            for (int i = 0; i < messages.length; i++) {
                handle.execute(
                        """
                        INSERT INTO message (organization_id, conversation_id, id, type, content_type, content, status,
                            created_by, created_at, updated_at)
                        VALUES (?, ?, ?, ?, 'TEXT', 'Hello', ?, '', ?, now())""",
                        organization,
                        conversation,
                        new UUID(0x7000, i),
                        messages[i].type,
                        messages[i].status,
                        NOW.minus(messages[i].age));
            }
            handle.execute("""
                    INSERT INTO conversation_lease (organization_id, conversation_id, node_id, from_message, version)
                    VALUES (?, ?, ?, ?, 1)""", organization, conversation, UUID.randomUUID(), new UUID(0x7000, 0));
        });
        return conversation;
    }

    private void run(UUID conversation, String status) {
        database.change(handle ->
                handle.execute("""
                INSERT INTO workflow_instance (organization_id, id, workflow_id, workflow_version, conversation_id,
                    status, state, state_version, created_by, created_at, updated_at, deadline)
                VALUES (?, ?, ?, 1, ?, ?, '{}', 1, '', now(), now(), now())""", organization, UUID.randomUUID(), UUID.randomUUID(), conversation, status));
    }
}
