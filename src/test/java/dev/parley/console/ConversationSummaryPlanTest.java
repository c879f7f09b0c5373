package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The list reads messages by their primary key, however many there are (docs/decisions/0135). */
class ConversationSummaryPlanTest {
    @Test
    void messagesAreReadByKey() {
        UUID organization = UUID.randomUUID();
        try (Database database = TestPostgres.migrated()) {
            String plan = database.with(handle -> {
                handle.execute(
                        "INSERT INTO organization (id, name, created_at) VALUES (?, 'Acme', now())", organization);
                handle.execute("""
                        INSERT INTO conversation (organization_id, id, channel, usecase, config, metadata, created_by,
                            created_at)
                        SELECT ?, md5(n::text)::uuid, 'API', 'DEFAULT', '{}', '{}', '', now()
                        FROM generate_series(1, 500) n""", organization);
                handle.execute("""
                        INSERT INTO message (organization_id, conversation_id, id, type, content_type, content, status,
                            created_by, created_at, updated_at)
                        SELECT ?, md5((n % 500 + 1)::text)::uuid, gen_random_uuid(), 'USER_INPUT', 'TEXT', 'Hello',
                            'DELIVERED', '', now(), now()
                        FROM generate_series(1, 20000) n""", organization);
                handle.execute("ANALYZE");
                return String.join(
                        "\n",
                        handle.createQuery("EXPLAIN " + ConversationSummaryStore.SUMMARIES
                                        + ConversationSummaryStore.MATCHES + " ORDER BY activity DESC LIMIT 21")
                                .bind("organization", organization)
                                .bind("user", UUID.randomUUID())
                                .bind("me", "")
                                .bind("search", "x")
                                .bind("pattern", "%x%")
                                .bind("messages", 200)
                                .bind("queued", 20)
                                .bindArray("ids", UUID.class, UUID.randomUUID(), UUID.randomUUID())
                                .mapTo(String.class)
                                .list());
            });
            assertThat(plan).contains("message_pkey").doesNotContain("Seq Scan on message ");
        }
    }
}
