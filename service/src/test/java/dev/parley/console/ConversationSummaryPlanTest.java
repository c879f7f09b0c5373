package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

/** The list reads messages and conversations by their primary keys, however many there are (docs/decisions/0136). */
class ConversationSummaryPlanTest {
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z]+)");

    @Test
    void messagesAndConversationsAreReadByKey() {
        UUID organization = UUID.randomUUID();
        try (Database database = TestPostgres.migrated()) {
            String plan = database.with(handle -> {
                handle.execute(
                        "INSERT INTO organization (id, name, created_at) VALUES (?, 'Acme', now())", organization);
                // Among many small organizations, so that the planner expects few conversations of any.
                handle.execute("""
                        INSERT INTO organization (id, name, created_at)
                        SELECT md5('organization' || n)::uuid, 'Acme', now() FROM generate_series(1, 2000) n""");
                handle.execute("""
                        INSERT INTO conversation (organization_id, id, channel, usecase, config, metadata, created_by,
                            created_at)
                        SELECT CASE WHEN n <= 2000 THEN md5('organization' || n)::uuid ELSE ? END, md5(n::text)::uuid,
                            'API', 'DEFAULT', '{}', '{}', '', now()
                        FROM generate_series(1, 10000) n""", organization);
                handle.execute("""
                        INSERT INTO message (organization_id, conversation_id, id, type, content_type, content, status,
                            created_by, created_at, updated_at)
                        SELECT ?, md5((n % 8000 + 2001)::text)::uuid, gen_random_uuid(), 'USER_INPUT', 'TEXT', 'Hello',
                            'DELIVERED', '', now(), now()
                        FROM generate_series(1, 20000) n""", organization);
                handle.execute("ANALYZE");
                return genericPlan(
                        handle,
                        ConversationSummaryStore.SUMMARIES + ConversationSummaryStore.MATCHES
                                + " ORDER BY k.activity DESC LIMIT :limit");
            });
            assertThat(plan)
                    .contains("message_pkey", "conversation_pkey")
                    .doesNotContain("Seq Scan on message ", "Seq Scan on conversation ", "conversation_by_activity");
        }
    }

    /** The plan for any values, which the server uses for a statement that it has seen several times. */
    private static String genericPlan(Handle handle, String sql) {
        List<String> names = new ArrayList<>();
        String numbered = PARAMETER.matcher(sql).replaceAll(parameter -> {
            if (!names.contains(parameter.group(1))) {
                names.add(parameter.group(1));
            }
            return "\\$" + (names.indexOf(parameter.group(1)) + 1);
        });
        handle.execute("SET plan_cache_mode = force_generic_plan");
        handle.execute("PREPARE summaries AS " + numbered);
        String nulls = String.join(", ", Collections.nCopies(names.size(), "NULL"));
        return String.join(
                "\n",
                handle.createQuery("EXPLAIN EXECUTE summaries (" + nulls + ")")
                        .mapTo(String.class)
                        .list());
    }
}
