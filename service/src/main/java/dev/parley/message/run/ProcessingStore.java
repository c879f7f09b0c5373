package dev.parley.message.run;

import dev.parley.conversation.ConversationActivityRecorder;
import dev.parley.conversation.ConversationRef;
import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.db.GroupCommit;
import dev.parley.event.NewEvent;
import dev.parley.id.ApiKeyId;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.message.MessageEvents;
import dev.parley.message.MessageRows;
import dev.parley.message.MessageStatus;
import dev.parley.message.NewMessage;
import dev.parley.message.PendingMessage;
import dev.parley.node.NodeLease;
import dev.parley.settings.ServiceSize;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** Reads and writes of message processing. Every write is fenced by the node's lease. */
@Singleton
public final class ProcessingStore {
    private static final String FINISH = NodeLease.FENCE + """
            , done AS (
                UPDATE message m SET status = u.status, updated_at = GREATEST(now(), m.created_at)
                FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[])
                    AS u (organization_id, conversation_id, id, status), fence
                WHERE m.organization_id = u.organization_id AND m.conversation_id = u.conversation_id AND m.id = u.id
                  AND m.status IN ('RECEIVED', 'PROCESSING')
                RETURNING m.id
            )
            SELECT (SELECT count(*) FROM fence), ARRAY(SELECT id FROM done)
            """;

    private static final String MARK = NodeLease.FENCE + """
            UPDATE message m SET status = 'PROCESSING', updated_at = GREATEST(now(), m.created_at)
            FROM fence
            WHERE m.organization_id = ? AND m.conversation_id = ? AND m.id = ? AND m.status = 'RECEIVED'
            """;

    private static final String MOVE_PUBLISHED_TO = NodeLease.FENCE + """
            UPDATE conversation_lease SET published_to = ? FROM fence
            WHERE organization_id = ? AND conversation_id = ? AND node_id = ?
            """;

    private static final String PENDING = """
            SELECT id, content_type, content, file, status = 'PROCESSING' AS is_published, created_by, trace_context, (
                    SELECT CASE WHEN node_id = ? THEN version ELSE ? END FROM conversation_lease
                    WHERE organization_id = ? AND conversation_id = ?
                ) AS version FROM (
                SELECT p.*, sum(coalesce(octet_length(content), 0)) OVER (ORDER BY id)
                    - coalesce(octet_length(content), 0) AS older
                FROM (
                    SELECT id, content_type, content, file, status, created_by, trace_context FROM message
                    WHERE organization_id = ? AND conversation_id = ? AND id >= ?
                      AND type = 'USER_INPUT' AND status IN ('RECEIVED', 'PROCESSING')
                    ORDER BY id LIMIT ?
                ) p
            ) m
            WHERE older < ? ORDER BY id
            """;

    private static final int BATCH_BYTES = 128 * 1024;

    /** Finished messages that are written by one transaction, give or take a worker's batch. */
    private static final int MAX_BATCH_WEIGHT = 1_024;

    /**
     * Messages with subscribers weigh more: each adds several event rows, and inserts into the same conversation
     * block until commit.
     */
    private static final int SUBSCRIBED_MESSAGE_WEIGHT = 16;

    /** Under load replies are gathered for longer, because accepting messages comes first. */
    private static final Duration GATHER_DELAY = Duration.ofMillis(4);

    private final Database database;
    private final ConversationLeaseStore leases;
    private final MessageEvents events;
    private final ConversationActivityRecorder activity;
    private final GroupCommit<List<CompletedMessage>, CompletionResult> commits;

    /** A finished message with its replies. */
    record CompletedMessage(PendingMessage message, MessageStatus status, List<NewMessage> replies) {}

    /** Outcome of a write. */
    enum CompletionResult {
        FINISHED,
        /** The node's work is another's now; nothing was written. */
        FENCED
    }

    /**
     * A conversation whose lease this node holds.
     *
     * @param from lower bound of the waiting messages
     * @param publishedTo the newest message whose message.created was written while it waited; null for none
     * @param version increases when another node stores a message
     */
    record WaitingConversation(
            OrganizationId organization,
            ConversationId conversation,
            MessageId from,
            @Nullable MessageId publishedTo,
            int version) {}

    /** The table {@code conversation_lease}. */
    interface ConversationLeaseStore {
        /** A conversation's row, if it is a node's. */
        String HELD = " WHERE organization_id = :organization AND conversation_id = :conversation AND node_id = :node";

        String ROWS = """
                SELECT organization_id AS organization, conversation_id AS conversation, from_message AS "from",
                    published_to, version
                FROM conversation_lease""";

        @SqlQuery(ROWS + HELD)
        Optional<WaitingConversation> find(OrganizationId organization, ConversationId conversation, NodeId node);

        @SqlQuery(ROWS + " WHERE node_id = :node")
        List<WaitingConversation> heldBy(NodeId node);

        @SqlUpdate("DELETE FROM conversation_lease" + HELD + " AND version = :version")
        boolean delete(OrganizationId organization, ConversationId conversation, NodeId node, int version);

        @SqlUpdate("UPDATE conversation_lease SET from_message = :from" + HELD + " AND version = :version")
        void advance(
                OrganizationId organization, ConversationId conversation, NodeId node, MessageId from, int version);
    }

    /**
     * Messages that wait.
     *
     * @param version of the lease at the same moment; 0 if there is none
     */
    record PendingMessages(List<PendingMessage> messages, int version) {
        private static final int ELSEWHERE = -1;

        /** Whether the row is another node's, which processes the messages. */
        boolean isElsewhere() {
            return version == ELSEWHERE;
        }
    }

    public ProcessingStore(
            Database database, MessageEvents events, ConversationActivityRecorder activity, ServiceSize size) {
        this.database = database;
        this.leases = database.statements(ConversationLeaseStore.class);
        this.events = events;
        this.activity = activity;
        this.commits = new GroupCommit<List<CompletedMessage>, CompletionResult>(
                        "processing-commit", size.commits().withWriters(1), MAX_BATCH_WEIGHT, this::write)
                .weighingRowsBy(this::size)
                .gatheringFor(GATHER_DELAY);
    }

    @PreDestroy
    void close() {
        commits.close();
    }

    private int size(List<CompletedMessage> finishes) {
        return events.hasSubscribers(finishes.getFirst().message())
                ? SUBSCRIBED_MESSAGE_WEIGHT * finishes.size()
                : finishes.size();
    }

    /** Writes status and replies of messages of one conversation, all or none of them, in their order. */
    CompletableFuture<CompletionResult> finish(List<CompletedMessage> finishes) {
        return commits.submit(finishes);
    }

    /** Marks a message whose processing takes long; false if it is marked or finished already. */
    boolean markProcessing(PendingMessage message) {
        return database.jdbcTransaction(connection -> {
            boolean marked = mark(connection, message);
            if (marked) {
                events.append(
                        connection, events.updated(connection, List.of(MessageEvents.ChangedMessage.of(message))));
            }
            return marked;
        });
    }

    /** Whether new messages of a conversation have subscribers. */
    boolean hasSubscribers(ConversationRef conversation) {
        return events.hasCreatedSubscribers(conversation);
    }

    /** Writes the message.created events of messages that wait, in their order; false if the lease is another node's. */
    boolean publishWaiting(List<PendingMessage> messages) {
        PendingMessage last = messages.getLast();
        return database.jdbcTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(MOVE_PUBLISHED_TO)) {
                statement.setObject(1, last.owner().value());
                statement.setObject(2, last.id().value());
                statement.setObject(3, last.conversation().organization().value());
                statement.setObject(4, last.conversation().id().value());
                statement.setObject(5, last.owner().value());
                if (statement.executeUpdate() == 0) {
                    return false;
                }
            }
            events.append(connection, events.createdAsStored(connection, messages));
            return true;
        });
    }

    private static boolean mark(Connection connection, PendingMessage message) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(MARK)) {
            statement.setObject(1, message.owner().value());
            statement.setObject(2, message.conversation().organization().value());
            statement.setObject(3, message.conversation().id().value());
            statement.setObject(4, message.id().value());
            return statement.executeUpdate() == 1;
        }
    }

    /**
     * Marks a message as delivered to a workflow instance within the caller's transaction, which must be fenced. Returns
     * its status before; empty if it was finished before.
     */
    public static Optional<MessageStatus> deliverTo(
            Connection connection,
            OrganizationId organization,
            ConversationId conversation,
            MessageId message,
            WorkflowInstanceId instance)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                WITH waiting AS MATERIALIZED (
                    SELECT organization_id, conversation_id, id, status FROM message
                    WHERE organization_id = ? AND conversation_id = ? AND id = ? AND status IN ('RECEIVED', 'PROCESSING')
                    FOR UPDATE
                )
                UPDATE message m SET status = 'DELIVERED', workflow_instance_id = ?,
                    updated_at = GREATEST(now(), m.created_at)
                FROM waiting w
                WHERE m.organization_id = w.organization_id AND m.conversation_id = w.conversation_id AND m.id = w.id
                RETURNING w.status
                """)) {
            statement.setObject(1, organization.value());
            statement.setObject(2, conversation.value());
            statement.setObject(3, message.value());
            statement.setObject(4, instance.value());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(MessageStatus.valueOf(row.getString(1))) : Optional.empty();
            }
        }
    }

    /**
     * The conversation's waiting messages from {@code from} on, oldest first: at most {@code limit}, and fewer where
     * they are large, since many conversations are in hand at once.
     */
    PendingMessages pending(ConversationRef conversation, NodeId owner, MessageId from, int limit) {
        return database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(PENDING)) {
                statement.setObject(1, owner.value());
                statement.setInt(2, PendingMessages.ELSEWHERE);
                statement.setObject(3, conversation.organization().value());
                statement.setObject(4, conversation.id().value());
                statement.setObject(5, conversation.organization().value());
                statement.setObject(6, conversation.id().value());
                statement.setObject(7, from.value());
                statement.setInt(8, limit);
                statement.setInt(9, BATCH_BYTES);
                return waiting(statement.executeQuery(), conversation, owner);
            }
        });
    }

    private static PendingMessages waiting(ResultSet result, ConversationRef conversation, NodeId owner)
            throws SQLException {
        List<PendingMessage> messages = new ArrayList<>();
        int version = 0;
        try (ResultSet rows = result) {
            while (rows.next()) {
                messages.add(new PendingMessage(
                        conversation,
                        new MessageId(rows.getObject(1, UUID.class)),
                        owner,
                        rows.getString(2),
                        rows.getString(3),
                        rows.getString(4),
                        ApiKeyId.ofAuthor(rows.getString(6)).orElse(null),
                        rows.getBoolean(5),
                        rows.getString(7)));
                version = rows.getInt(8);
            }
        }
        return new PendingMessages(messages, version);
    }

    /** Whether {@link #pending} returned everything that was waiting, judged by the sizes. */
    static boolean isWhole(List<PendingMessage> batch, int limit) {
        long characters = batch.stream().mapToLong(one -> one.text().length()).sum();
        return batch.size() < limit && 4 * characters < BATCH_BYTES;
    }

    /** The conversation's lease, if this node holds it. */
    Optional<WaitingConversation> lease(NodeId owner, ConversationRef conversation) {
        return leases.find(conversation.organization(), conversation.id(), owner);
    }

    /** All work that a node holds. */
    List<WaitingConversation> heldBy(NodeId node) {
        return leases.heldBy(node);
    }

    /** Gives up a conversation with nothing left to do; false when another node added to it meanwhile. */
    boolean release(NodeId owner, ConversationRef conversation, int version) {
        return leases.delete(conversation.organization(), conversation.id(), owner, version);
    }

    /** Moves the lower bound of the waiting messages, so that a takeover does not read finished ones. */
    void advance(NodeId owner, ConversationRef conversation, MessageId from, int version) {
        leases.advance(conversation.organization(), conversation.id(), owner, from, version);
    }

    /** Gives a dead node's conversations to another. */
    static void adopt(Handle handle, NodeId from, NodeId to) {
        handle.execute("UPDATE conversation_lease SET node_id = ? WHERE node_id = ?", to.value(), from.value());
    }

    /** Fencing gives the node another id: messages of both need a transaction each. */
    private List<CompletionResult> write(List<List<CompletedMessage>> units) {
        NodeId owner = owner(units.getFirst());
        List<List<CompletedMessage>> first =
                units.stream().takeWhile(unit -> owner(unit).equals(owner)).toList();
        CompletionResult result =
                write(owner, first.stream().flatMap(List::stream).toList());
        return Collections.nCopies(first.size(), result);
    }

    private static NodeId owner(List<CompletedMessage> unit) {
        return unit.getFirst().message().owner();
    }

    /** The replies of a message that another had finished are left out; its own were written then. */
    private CompletionResult write(NodeId owner, List<CompletedMessage> batch) {
        return database.jdbcTransaction(connection -> {
            Optional<Set<UUID>> done = finish(connection, owner, batch);
            if (done.isEmpty()) {
                return CompletionResult.FENCED;
            }
            List<CompletedMessage> finished = batch.stream()
                    .filter(one -> done.get().contains(one.message().id().value()))
                    .toList();
            List<NewMessage> replies = finished.stream()
                    .flatMap(one -> one.replies().stream())
                    .map(events::outgoing)
                    .toList();
            if (!replies.isEmpty()) {
                MessageRows.insert(connection, replies);
                Database.afterCommit(
                        () -> replies.forEach(one -> activity.add(one.organization(), one.conversation(), one.id())));
            }
            publish(connection, finished, replies);
            return CompletionResult.FINISHED;
        });
    }

    private void publish(Connection connection, List<CompletedMessage> finished, List<NewMessage> replies)
            throws SQLException {
        List<NewEvent> published = new ArrayList<>(events.updated(
                connection,
                finished.stream()
                        .map(one -> MessageEvents.ChangedMessage.of(one.message()))
                        .toList()));
        published.addAll(events.created(connection, replies));
        events.append(connection, published);
    }

    /** Sets the statuses; returns the messages that were not finished before, or empty if the node is fenced. */
    private static Optional<Set<UUID>> finish(Connection connection, NodeId owner, List<CompletedMessage> batch)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FINISH)) {
            statement.setObject(1, owner.value());
            new BatchInsert<>(statement, 2, batch)
                    .ids(one -> one.message().conversation().organization())
                    .ids(one -> one.message().conversation().id())
                    .ids(one -> one.message().id())
                    .texts(one -> one.status().name());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1) == 0
                        ? Optional.empty()
                        : Optional.of(Set.of((UUID[]) row.getArray(2).getArray()));
            }
        }
    }
}
