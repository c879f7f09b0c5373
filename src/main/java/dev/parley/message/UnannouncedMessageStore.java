package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.db.ForRequests;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.node.NodeLease;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Stored messages whose message.created event is pending ({@link MessageEvents}). The transaction that processes a
 * message usually writes its event; this class writes it earlier for messages that wait.
 */
@Singleton
public final class UnannouncedMessageStore {
    /** Messages of one conversation whose events one transaction writes. */
    static final int MAX_BATCH_SIZE = 100;

    private static final MessageId FIRST = new MessageId(new UUID(0, 0));

    /** Clears event_pending of waiting messages, oldest first, and locks them until the commit. */
    private static final String CLAIM = NodeLease.FENCE + """
            , waiting AS MATERIALIZED (
                SELECT m.id FROM message m, fence
                WHERE m.organization_id = ? AND m.conversation_id = ? AND m.id >= ? AND m.event_pending
                ORDER BY m.id LIMIT ? FOR UPDATE OF m
            )
            UPDATE message m SET event_pending = false FROM waiting w
            WHERE m.organization_id = ? AND m.conversation_id = ? AND m.id = w.id AND m.event_pending
            RETURNING m.id
            """;

    private final Database database;
    private final Database requests;
    private final MessageEvents events;

    public UnannouncedMessageStore(Database database, @ForRequests Database requests, MessageEvents events) {
        this.database = database;
        this.requests = requests;
        this.events = events;
    }

    /** Whether a conversation's messages have subscribers. */
    boolean hasSubscribers(ConversationRef conversation) {
        return events.hasCreatedSubscribers(conversation);
    }

    /**
     * Writes the pending events of at most {@link #MAX_BATCH_SIZE} waiting messages, in order, from {@code from} on.
     * Returns how many.
     */
    int announce(ConversationRef conversation, NodeId node, MessageId from) {
        return announce(database, new PendingConversation(conversation.organization(), conversation.id()), node, from);
    }

    /**
     * Writes all pending events of the conversations of messages that are about to be stored with their event, so
     * that the order is kept. Costs one query if nothing waits. A client waits for it, so it uses the requests' connections.
     */
    void announceBefore(List<NewMessage> messages, NodeId node) {
        List<PendingConversation> keys = messages.stream()
                .map(one -> new PendingConversation(one.organization(), one.conversation()))
                .distinct()
                .toList();
        for (PendingConversation key : requests.jdbc(connection -> withPendingEvents(connection, keys))) {
            int announced;
            do {
                announced = announce(requests, key, node, FIRST);
            } while (announced == MAX_BATCH_SIZE);
        }
    }

    private record PendingConversation(OrganizationId organization, ConversationId conversation) {}

    private int announce(Database with, PendingConversation key, NodeId node, MessageId from) {
        return with.jdbcTransaction(connection -> {
            List<MessageEvents.ChangedMessage> claimed = claim(connection, key, node, from);
            events.append(connection, events.announcements(connection, claimed));
            return claimed.size();
        });
    }

    private static List<PendingConversation> withPendingEvents(Connection connection, List<PendingConversation> keys)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT u.organization_id, u.conversation_id
                FROM unnest(?::uuid[], ?::uuid[]) AS u (organization_id, conversation_id)
                WHERE EXISTS (SELECT 1 FROM message m WHERE m.organization_id = u.organization_id
                    AND m.conversation_id = u.conversation_id AND m.event_pending)
                """)) {
            new BatchInsert<>(statement, 1, keys)
                    .ids(PendingConversation::organization)
                    .ids(PendingConversation::conversation);
            List<PendingConversation> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(new PendingConversation(
                            new OrganizationId(rows.getObject(1, UUID.class)),
                            new ConversationId(rows.getObject(2, UUID.class))));
                }
            }
            return found;
        }
    }

    private static List<MessageEvents.ChangedMessage> claim(
            Connection connection, PendingConversation key, NodeId node, MessageId from) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
            statement.setObject(1, node.value());
            statement.setObject(2, key.organization.value());
            statement.setObject(3, key.conversation.value());
            statement.setObject(4, from.value());
            statement.setInt(5, MAX_BATCH_SIZE);
            statement.setObject(6, key.organization.value());
            statement.setObject(7, key.conversation.value());
            List<MessageId> ids = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(new MessageId(rows.getObject(1, UUID.class)));
                }
            }
            return ids.stream()
                    .sorted()
                    .map(id -> new MessageEvents.ChangedMessage(key.organization, key.conversation, id, null))
                    .toList();
        }
    }
}
