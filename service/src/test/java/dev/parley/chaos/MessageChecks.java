package dev.parley.chaos;

import dev.parley.chaos.Reconciliation.Promise;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reconciles messages: none lost, none duplicated, each processed once and in order. */
final class MessageChecks {
    private static final Pattern QUOTE = Pattern.compile("You wrote: \"(.*)\"\\. Set PARLEY_LLM");

    /** Unprocessed messages; the run is not over while there are some. */
    static final String WAITING = """
            SELECT count(*) FROM message WHERE type = 'USER_INPUT' AND status IN ('RECEIVED', 'PROCESSING')
            """;

    private final Reconciliation books;
    private final Ledger ledger;

    MessageChecks(Reconciliation books, Ledger ledger) {
        this.books = books;
        this.ledger = ledger;
    }

    void run() throws SQLException {
        lost();
        books.none(Promise.MESSAGES_DUPLICATED, """
                SELECT content, count(*) FROM message WHERE type = 'USER_INPUT' GROUP BY content HAVING count(*) > 1
                """);
        books.none(Promise.MESSAGES_UNPROCESSED, """
                SELECT id, status, content FROM message
                WHERE type = 'USER_INPUT' AND status NOT IN ('DELIVERED', 'FAILED')
                """);
        books.none(Promise.MESSAGES_UNPROCESSED, """
                SELECT m.id, 'FAILED without a reason' FROM message m
                WHERE m.type = 'USER_INPUT' AND m.status = 'FAILED' AND NOT EXISTS (
                    SELECT 1 FROM message s WHERE s.organization_id = m.organization_id
                        AND s.conversation_id = m.conversation_id AND s.type = 'SYSTEM' AND s.id > m.id)
                """);
        chatReplies();
        workflowReplies();
    }

    private void lost() throws SQLException {
        Map<String, String> stored = new HashMap<>();
        for (List<String> row :
                books.rows("SELECT " + Reconciliation.id("id") + ", content FROM message WHERE type = 'USER_INPUT'")) {
            stored.put(row.get(0), row.get(1));
        }
        for (Ledger.Sent sent : ledger.messages) {
            if (!sent.content().equals(stored.get(sent.id()))) {
                books.broken(Promise.MESSAGES_LOST, sent + " is " + stored.getOrDefault(sent.id(), "not there"));
            }
        }
    }

    /** Each message has one reply that quotes it, and replies are in the order of the messages. */
    private void chatReplies() throws SQLException {
        Map<String, List<Integer>> places = new HashMap<>();
        List<List<String>> replies = books.rows("""
                SELECT content FROM message m WHERE type = 'AGENT_RESPONSE' AND workflow_instance_id IS NULL ORDER BY id
                """);
        for (int place = 0; place < replies.size(); place++) {
            Matcher quote = QUOTE.matcher(replies.get(place).getFirst());
            String quoted = quote.find() ? quote.group(1) : replies.get(place).getFirst();
            places.computeIfAbsent(quoted, _ -> new ArrayList<>()).add(place);
        }
        for (List<String> row : books.rows("""
                SELECT m.content FROM message m
                JOIN conversation c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
                WHERE m.type = 'USER_INPUT' AND m.status = 'DELIVERED' AND c.usecase = 'DEFAULT'
                """)) {
            int count = places.getOrDefault(row.getFirst(), List.of()).size();
            if (count != 1) {
                books.broken(Promise.REPLIES_WRONG, row.getFirst() + " has " + count + " replies");
            }
        }
        Map<String, List<Ledger.Sent>> byConversation = new HashMap<>();
        ledger.messages.forEach(sent -> byConversation
                .computeIfAbsent(sent.conversation(), _ -> new ArrayList<>())
                .add(sent));
        byConversation.values().forEach(sent -> inOrder(sent, places));
    }

    private void inOrder(List<Ledger.Sent> conversation, Map<String, List<Integer>> places) {
        conversation.sort(Comparator.comparingInt(Ledger.Sent::order));
        int before = -1;
        for (Ledger.Sent sent : conversation) {
            List<Integer> place = places.getOrDefault(sent.content(), List.of());
            if (place.size() == 1) {
                if (place.getFirst() < before) {
                    books.broken(Promise.REPLIES_WRONG, sent.content() + " was answered before its predecessor");
                }
                before = place.getFirst();
            }
        }
    }

    /** Each message started one instance, sequentially, and each instance reported its end once. */
    private void workflowReplies() throws SQLException {
        books.none(Promise.REPLIES_WRONG, """
                SELECT i.id, i.status, count(m.id) AS ends FROM workflow_instance i
                LEFT JOIN message m ON m.organization_id = i.organization_id
                    AND m.conversation_id = i.conversation_id AND m.workflow_instance_id = i.id
                    AND (m.type = 'AGENT_RESPONSE' OR m.type = 'SYSTEM' AND m.content LIKE 'The workflow is %')
                WHERE i.conversation_id IS NOT NULL AND i.status NOT IN ('RUNNING', 'PAUSED')
                GROUP BY i.id, i.status HAVING count(m.id) <> 1
                """);
        books.none(Promise.INSTANCES_DUPLICATED, """
                SELECT m.id, m.content, count(i.id) FROM message m
                JOIN conversation c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
                LEFT JOIN workflow_instance i ON i.organization_id = m.organization_id
                    AND i.created_by = 'message:' || replace(m.id::text, '-', '')
                WHERE m.type = 'USER_INPUT' AND m.status = 'DELIVERED' AND c.usecase = 'WORKFLOW_EXECUTION'
                GROUP BY m.id, m.content HAVING count(i.id) <> 1
                """);
        books.none(Promise.REPLIES_WRONG, """
                SELECT id, 'began before the one before it ended' FROM (
                    SELECT id, created_at, lag(finished_at) OVER w AS ended, lag(id) OVER w AS previous
                    FROM workflow_instance WHERE conversation_id IS NOT NULL
                    WINDOW w AS (PARTITION BY conversation_id ORDER BY id)) AS pairs
                WHERE previous IS NOT NULL AND (ended IS NULL OR created_at < ended)
                """);
    }
}
