package dev.parley.chaos;

import dev.parley.chaos.Reconciliation.Promise;
import dev.parley.chaos.WebhookReceiver.Taken;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reconciles webhooks: every event of a conversation with a callback was delivered, first in order. */
final class WebhookChecks {
    /** Pending deliveries. */
    static final String WAITING = "SELECT count(*) FROM webhook_delivery WHERE state = 'PENDING'";

    private final Reconciliation books;
    private final Ledger ledger;
    private final WebhookReceiver receiver;

    WebhookChecks(Reconciliation books, Ledger ledger, WebhookReceiver receiver) {
        this.books = books;
        this.ledger = ledger;
        this.receiver = receiver;
    }

    void run() throws SQLException {
        for (List<String> row : books.rows("SELECT " + Reconciliation.id("c.id") + """
                , coalesce(s.last_sequence, 0) FROM conversation c
                LEFT JOIN event_stream s ON s.organization_id = c.organization_id AND s.id = c.id
                WHERE c.callback_url IS NOT NULL
                """)) {
            check(row.getFirst(), Long.parseLong(row.getLast()));
        }
        books.none(Promise.WEBHOOKS_LOST, """
                SELECT m.id, m.type, m.status FROM message m
                JOIN conversation c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
                WHERE c.callback_url IS NOT NULL AND m.type <> 'USER_INPUT' AND m.status <> 'DELIVERED'
                """);
        books.none(Promise.WORK_ORPHANED, "SELECT 'webhooks of', target_id FROM webhook_queue");
    }

    private void check(String conversation, long last) {
        List<Taken> taken = receiver.of(conversation);
        long before = 0;
        for (Taken one : taken) {
            if (one.sequence() != before + 1) {
                books.broken(
                        Promise.WEBHOOKS_OUT_OF_ORDER,
                        conversation + ": " + one.sequence() + " first came after " + before);
            }
            before = one.sequence();
        }
        if (taken.size() != last) {
            books.broken(Promise.WEBHOOKS_LOST, conversation + " had " + last + " events, " + taken.size() + " came");
        }
        Set<String> created = taken.stream()
                .filter(one -> one.type().equals("message.created"))
                .map(Taken::object)
                .collect(Collectors.toSet());
        List<Ledger.Sent> sent;
        synchronized (ledger.messages) {
            sent = List.copyOf(ledger.messages);
        }
        sent.stream()
                .filter(one -> one.conversation().equals(conversation) && !created.contains(one.id()))
                .forEach(one -> books.broken(Promise.WEBHOOKS_LOST, one + " has no message.created"));
    }
}
