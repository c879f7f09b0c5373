package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.db.Database;
import dev.parley.db.GroupCommit;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.node.NodeLease;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;

/** What the processing of messages reads and writes. Every write is fenced by the node that does it. */
@Singleton
public final class ProcessingStore {
    private static final String FINISH = NodeLease.FENCE + """
            , done AS (
                UPDATE message m SET status = u.status, updated_at = GREATEST(now(), m.created_at)
                FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[])
                    AS u (organization_id, conversation_id, id, status), fence
                WHERE m.organization_id = u.organization_id AND m.conversation_id = u.conversation_id AND m.id = u.id
                  AND m.status IN ('RECEIVED', 'PROCESSING')
                RETURNING m.organization_id, m.conversation_id, m.id
            ), replies AS (
            """ + MessageRows.INSERT_SELECT + """
                JOIN done d ON d.organization_id = r.organization_id AND d.conversation_id = r.conversation_id
                RETURNING 1
            )
            SELECT (SELECT count(*) FROM fence), ARRAY(SELECT id FROM done)
            """;

    private static final String MARK = NodeLease.FENCE + """
            UPDATE message m SET status = 'PROCESSING', updated_at = GREATEST(now(), m.created_at) FROM fence
            WHERE m.organization_id = ? AND m.conversation_id = ? AND m.id = ? AND m.status = 'RECEIVED'
            """;

    private final Database database;
    private final GroupCommit<Finish, Finished> commits;

    /** A message that is finished, with what is stored beside it. */
    record Finish(PendingMessage message, MessageStatus status, List<NewMessage> replies) {}

    /** What became of a {@link Finish}. */
    enum Finished {
        FINISHED,
        /** Another had finished the message; nothing was written. */
        FINISHED_BEFORE,
        /** The node's work is another's now; nothing was written. */
        FENCED
    }

    /** A conversation whose work this node holds. */
    record Work(OrganizationId organization, ConversationId conversation, MessageId from, int version) {}

    public ProcessingStore(Database database) {
        this.database = database;
        this.commits = new GroupCommit<>("processing-commit", 1, 256, this::write);
    }

    @PreDestroy
    void close() {
        commits.close();
    }

    /** Writes status and replies. */
    CompletableFuture<Finished> finish(Finish finish) {
        return commits.submit(finish);
    }

    /** Shows that work on a message takes longer than a moment. */
    void markProcessing(PendingMessage message) {
        database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(MARK)) {
                statement.setObject(1, message.owner().value());
                statement.setObject(2, message.conversation().organization().value());
                statement.setObject(3, message.conversation().id().value());
                statement.setObject(4, message.id().value());
                return statement.executeUpdate();
            }
        });
    }

    /**
     * Marks a message as delivered to a workflow instance within the caller's transaction, which must be fenced; false
     * when it was finished before.
     */
    public static boolean deliverTo(
            Connection connection, PendingMessage message, dev.parley.id.WorkflowInstanceId instance)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                UPDATE message SET status = 'DELIVERED', workflow_instance_id = ?,
                    updated_at = GREATEST(now(), created_at)
                WHERE organization_id = ? AND conversation_id = ? AND id = ? AND status IN ('RECEIVED', 'PROCESSING')
                """)) {
            statement.setObject(1, instance.value());
            statement.setObject(2, message.conversation().organization().value());
            statement.setObject(3, message.conversation().id().value());
            statement.setObject(4, message.id().value());
            return statement.executeUpdate() == 1;
        }
    }

    /** The conversation's waiting messages from {@code from} on, oldest first. */
    List<PendingMessage> pending(ConversationRef conversation, NodeId owner, MessageId from, int limit) {
        return database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    SELECT id, content_type, content, file FROM message
                    WHERE organization_id = ? AND conversation_id = ? AND id >= ?
                      AND type = 'USER_INPUT' AND status IN ('RECEIVED', 'PROCESSING')
                    ORDER BY id LIMIT ?
                    """)) {
                statement.setObject(1, conversation.organization().value());
                statement.setObject(2, conversation.id().value());
                statement.setObject(3, from.value());
                statement.setInt(4, limit);
                List<PendingMessage> messages = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        messages.add(new PendingMessage(
                                conversation,
                                new MessageId(rows.getObject(1, UUID.class)),
                                owner,
                                rows.getString(2),
                                rows.getString(3),
                                rows.getString(4)));
                    }
                }
                return messages;
            }
        });
    }

    /** The conversation's work row, if this node holds it. */
    Optional<Work> work(NodeId owner, ConversationRef conversation) {
        return database.with(handle -> handle.createQuery("""
                        SELECT organization_id, conversation_id, from_message, version FROM conversation_work
                        WHERE organization_id = :organization AND conversation_id = :conversation AND node_id = :node
                        """)
                .bind("organization", conversation.organization())
                .bind("conversation", conversation.id())
                .bind("node", owner)
                .map((row, _) -> read(row))
                .findOne());
    }

    /** All work that a node holds. */
    List<Work> heldBy(NodeId node) {
        return database.with(handle -> handle.createQuery("""
                        SELECT organization_id, conversation_id, from_message, version FROM conversation_work
                        WHERE node_id = :node
                        """)
                .bind("node", node)
                .map((row, _) -> read(row))
                .list());
    }

    /** Gives up a conversation with nothing left to do; false when another node added to it meanwhile. */
    boolean release(NodeId owner, ConversationRef conversation, int version) {
        return database.with(handle -> handle.createUpdate("""
                                DELETE FROM conversation_work
                                WHERE organization_id = :organization AND conversation_id = :conversation
                                  AND node_id = :node AND version = :version
                                """)
                        .bind("organization", conversation.organization())
                        .bind("conversation", conversation.id())
                        .bind("node", owner)
                        .bind("version", version)
                        .execute()
                == 1);
    }

    /** Moves the lower bound of the waiting messages up, so that a take-over need not read what is done. */
    void advance(NodeId owner, ConversationRef conversation, MessageId from, int version) {
        database.change(handle -> handle.createUpdate("""
                        UPDATE conversation_work SET from_message = :from
                        WHERE organization_id = :organization AND conversation_id = :conversation
                          AND node_id = :node AND version = :version
                        """)
                .bind("from", from)
                .bind("organization", conversation.organization())
                .bind("conversation", conversation.id())
                .bind("node", owner)
                .bind("version", version)
                .execute());
    }

    /** Gives a dead node's conversations to another. */
    static void adopt(Handle handle, NodeId from, NodeId to) {
        handle.execute("UPDATE conversation_work SET node_id = ? WHERE node_id = ?", to.value(), from.value());
    }

    private static Work read(ResultSet row) throws SQLException {
        return new Work(
                new OrganizationId(row.getObject(1, UUID.class)),
                new ConversationId(row.getObject(2, UUID.class)),
                new MessageId(row.getObject(3, UUID.class)),
                row.getInt(4));
    }

    /**
     * A fencing gives the node another id, so that a batch may hold messages of both: each id has a statement of its
     * own. So has a second message of one conversation, since replies find their message by it.
     */
    private List<Finished> write(List<Finish> batch) {
        record Group(NodeId owner, int turn) {}
        Map<ConversationId, Integer> turns = new HashMap<>();
        Map<Group, List<Finish>> groups = new LinkedHashMap<>();
        for (Finish one : batch) {
            int turn = turns.merge(one.message().conversation().id(), 1, Integer::sum);
            groups.computeIfAbsent(new Group(one.message().owner(), turn), _ -> new ArrayList<>())
                    .add(one);
        }
        IdentityHashMap<Finish, Finished> results = new IdentityHashMap<>();
        groups.forEach((group, finishes) -> results.putAll(write(group.owner, finishes)));
        return batch.stream()
                .map(one -> Objects.requireNonNull(results.get(one)))
                .toList();
    }

    private IdentityHashMap<Finish, Finished> write(NodeId owner, List<Finish> batch) {
        List<NewMessage> replies =
                batch.stream().flatMap(one -> one.replies().stream()).toList();
        Optional<Set<UUID>> done = database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(FINISH)) {
                statement.setObject(1, owner.value());
                statement.setArray(2, uuids(connection, batch, one -> one.conversation()
                        .organization()
                        .value()));
                statement.setArray(
                        3,
                        uuids(connection, batch, one -> one.conversation().id().value()));
                statement.setArray(4, uuids(connection, batch, one -> one.id().value()));
                statement.setArray(
                        5,
                        connection.createArrayOf(
                                "text",
                                batch.stream().map(one -> one.status().name()).toArray()));
                MessageRows.bind(statement, 6, replies);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getInt(1) == 0
                            ? Optional.empty()
                            : Optional.of(Set.of((UUID[]) row.getArray(2).getArray()));
                }
            }
        });
        IdentityHashMap<Finish, Finished> results = new IdentityHashMap<>();
        for (Finish one : batch) {
            results.put(
                    one,
                    done.map(ids -> ids.contains(one.message().id().value())
                                    ? Finished.FINISHED
                                    : Finished.FINISHED_BEFORE)
                            .orElse(Finished.FENCED));
        }
        return results;
    }

    private static java.sql.Array uuids(
            Connection connection, List<Finish> batch, java.util.function.Function<PendingMessage, UUID> column)
            throws SQLException {
        return connection.createArrayOf(
                "uuid", batch.stream().map(one -> column.apply(one.message())).toArray());
    }
}
