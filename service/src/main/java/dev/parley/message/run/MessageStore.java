package dev.parley.message.run;

import dev.parley.conversation.ConversationActivityRecorder;
import dev.parley.conversation.ConversationKey;
import dev.parley.db.BackgroundThrottle;
import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.db.ForRequests;
import dev.parley.db.GroupCommit;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.Claim;
import dev.parley.http.json.StrictJson;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.message.MessageRows;
import dev.parley.message.NewMessage;
import dev.parley.node.NodeLease;
import dev.parley.settings.ServiceSize;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Stores users' messages: the hot path of the service. What arrives while a batch commits goes into the next, in one
 * transaction with the leases of its conversations and the claims of its idempotency keys.
 *
 * <p>A batch is numbered right before its statement, which locks its conversations and stores nothing when an id would
 * not follow the newest of its conversation; the batch is then numbered anew under the locks (docs/decisions/0120).
 */
@Singleton
public final class MessageStore {
    private static final int MAX_BATCH_SIZE = 512;
    private static final int FENCE_ATTEMPTS = 3;

    private static final String LOCK = """
            SELECT c.id, GREATEST(c.newest_message, (
                SELECT m.id FROM message m
                WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id
                ORDER BY m.id DESC LIMIT 1))
            FROM unnest(?::uuid[], ?::uuid[]) AS g (organization_id, conversation_id)
            JOIN conversation c ON c.organization_id = g.organization_id AND c.id = g.conversation_id
            ORDER BY c.id
            FOR NO KEY UPDATE OF c
            """;

    /**
     * Inserts the messages, and the leases of the conversations that this node did not hold yet. A lease of another node
     * gets a new version, so that its owner reads again. Inserts nothing if a conversation has a message that the first of
     * the batch would not follow. Returns whether the node is alive, the number of messages inserted, and the
     * conversations whose lease another node holds.
     */
    private static final String INSERT = NodeLease.FENCE + """
            , given AS MATERIALIZED (
                SELECT * FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::uuid[])
                    AS g (organization_id, conversation_id, first, last)
            ), moved AS (
                UPDATE conversation c SET newest_message = g.last
                FROM given g, fence
                WHERE c.organization_id = g.organization_id AND c.id = g.conversation_id
                  AND (c.newest_message IS NULL OR c.newest_message < g.first)
                  AND NOT EXISTS (
                    SELECT 1 FROM message m
                    WHERE m.organization_id = g.organization_id AND m.conversation_id = g.conversation_id
                      AND m.id > g.first)
                RETURNING c.id
            ), newer AS MATERIALIZED (
                SELECT FROM given g
                JOIN conversation c ON c.organization_id = g.organization_id AND c.id = g.conversation_id
                WHERE g.conversation_id NOT IN (SELECT id FROM moved)
            ), work AS (
                INSERT INTO conversation_lease (organization_id, conversation_id, node_id, from_message, version)
                SELECT w.organization_id, w.conversation_id, ?, w.message_id, 1
                FROM unnest(?::uuid[], ?::uuid[], ?::uuid[]) AS w (organization_id, conversation_id, message_id), fence
                WHERE NOT EXISTS (SELECT 1 FROM newer)
                ON CONFLICT (organization_id, conversation_id) DO UPDATE SET
                    version = conversation_lease.version + 1,
                    from_message = LEAST(conversation_lease.from_message, EXCLUDED.from_message)
                RETURNING conversation_id, node_id
            ), inserted AS (
            """ + MessageRows.INSERT_SELECT + """
            , fence
            WHERE NOT EXISTS (SELECT 1 FROM newer)
            RETURNING 1
            )
            SELECT (SELECT count(*) FROM fence), (SELECT count(*) FROM inserted),
                ARRAY(SELECT conversation_id FROM work WHERE node_id <> ?)
            """;

    private final Database database;
    private final NodeLease node;
    private final ConversationActivityRecorder activity;
    private final GroupCommit<MessageSubmission, InsertReceipt> commits;

    /** Outcome of a submission. */
    public enum InsertReceipt {
        /** Stored; this node processes the conversation. */
        STORED,
        /** Stored; another node processes the conversation. */
        STORED_ELSEWHERE,
        /** Not stored: its idempotency key was claimed before. */
        DUPLICATE
    }

    public MessageStore(
            @ForRequests Database database,
            NodeLease node,
            ConversationActivityRecorder activity,
            BackgroundThrottle throttle,
            ServiceSize size) {
        this.database = database;
        this.node = node;
        this.activity = activity;
        this.commits = new GroupCommit<MessageSubmission, InsertReceipt>(
                        "message-commit",
                        size.commits(),
                        MAX_BATCH_SIZE,
                        one -> one.message().weight(),
                        this::write)
                .onBatchWritten(throttle::onWriteCompleted);
    }

    @PreDestroy
    void close() {
        commits.close();
    }

    /** Stores a user's message; completes after the commit, or with a problem when it was not stored. */
    public CompletableFuture<InsertReceipt> submit(MessageSubmission submission) {
        return commits.submit(submission);
    }

    private List<InsertReceipt> write(List<MessageSubmission> batch) {
        boolean isOutOfOrder = false;
        int fenced = 0;
        while (true) {
            NodeId me = node.id();
            try {
                List<InsertReceipt> receipts = isOutOfOrder ? writeLocked(batch, me) : write(batch, me);
                recordActivity(batch, receipts);
                return receipts;
            } catch (FencedException e) {
                // Another node took over this node's work. With a new id this node may store the batch.
                node.fenced(me);
                if (++fenced == FENCE_ATTEMPTS) {
                    throw e;
                }
            } catch (OutOfOrderException _) {
                isOutOfOrder = true;
            }
        }
    }

    private void recordActivity(List<MessageSubmission> batch, List<InsertReceipt> receipts) {
        for (int i = 0; i < batch.size(); i++) {
            if (receipts.get(i) != InsertReceipt.DUPLICATE) {
                NewMessage stored = batch.get(i).message();
                activity.add(stored.organization(), stored.conversation(), stored.id());
            }
        }
    }

    /** Gives the messages ids that grow in the batch's order and follow the newest of their conversations. */
    private static void number(List<MessageSubmission> batch, Map<UUID, MessageId> newest) {
        for (MessageSubmission one : batch) {
            UUID conversation = one.message().conversation().value();
            MessageId before = newest.get(conversation);
            MessageId id = before == null ? MessageId.next() : MessageId.nextAfter(before);
            one.number(id);
            newest.computeIfPresent(conversation, (_, _) -> id);
        }
    }

    private List<InsertReceipt> write(List<MessageSubmission> batch, NodeId me) {
        number(batch, new HashMap<>());
        if (batch.stream().noneMatch(one -> one.claim().isPresent())) {
            return receipts(batch, me, database.jdbc(connection -> insert(connection, batch, me)), Set.of());
        }
        return database.jdbcTransaction(connection -> write(connection, batch, me));
    }

    /** Numbers the batch while no other can be stored, so that it is not overtaken again. */
    private List<InsertReceipt> writeLocked(List<MessageSubmission> batch, NodeId me) {
        return database.jdbcTransaction(connection -> {
            number(batch, lock(connection, batch));
            return write(connection, batch, me);
        });
    }

    private static List<InsertReceipt> write(Connection connection, List<MessageSubmission> batch, NodeId me)
            throws SQLException {
        Set<UUID> claimed = claim(connection, batch);
        List<MessageSubmission> winners = new ArrayList<>();
        Set<UUID> duplicates = new HashSet<>();
        for (MessageSubmission one : batch) {
            if (one.claim().isEmpty() || claimed.contains(one.message().id().value())) {
                winners.add(one);
            } else {
                duplicates.add(one.message().id().value());
            }
        }
        Set<UUID> elsewhere = winners.isEmpty() ? Set.of() : insert(connection, winners, me);
        return receipts(batch, me, elsewhere, duplicates);
    }

    /** Locks the batch's conversations and returns the newest message of each that has one. */
    private static Map<UUID, MessageId> lock(Connection connection, List<MessageSubmission> batch) throws SQLException {
        List<NewMessage> firsts = firsts(messages(batch));
        Map<UUID, MessageId> newest = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
            new BatchInsert<>(statement, 1, firsts)
                    .ids(NewMessage::organization)
                    .ids(NewMessage::conversation);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    UUID id = rows.getObject(2, UUID.class);
                    if (id != null) {
                        newest.put(rows.getObject(1, UUID.class), new MessageId(id));
                    }
                }
            }
        }
        return newest;
    }

    private static List<NewMessage> messages(List<MessageSubmission> batch) {
        return batch.stream().map(MessageSubmission::message).toList();
    }

    private static List<InsertReceipt> receipts(
            List<MessageSubmission> batch, NodeId me, Set<UUID> elsewhere, Set<UUID> duplicates) {
        return batch.stream()
                .map(one -> {
                    if (duplicates.contains(one.message().id().value())) {
                        return InsertReceipt.DUPLICATE;
                    }
                    boolean foreign = one.claims(me)
                            && elsewhere.contains(one.message().conversation().value());
                    return foreign ? InsertReceipt.STORED_ELSEWHERE : InsertReceipt.STORED;
                })
                .toList();
    }

    /** Claims the idempotency keys, each with the response to its message. Returns the messages that won. */
    private static Set<UUID> claim(Connection connection, List<MessageSubmission> batch) throws SQLException {
        record ClaimKey(OrganizationId organization, String route, String key) {}
        Map<ClaimKey, MessageSubmission> firsts = new LinkedHashMap<>();
        batch.stream()
                .filter(one -> one.claim().isPresent())
                .sorted(Comparator.comparing(one -> one.claim().orElseThrow().key()))
                .forEach(one -> {
                    Claim claim = one.claim().orElseThrow();
                    // As below, ON CONFLICT may not meet a row twice in one statement.
                    firsts.putIfAbsent(new ClaimKey(claim.organization(), claim.route(), claim.key()), one);
                });
        List<MessageSubmission> claiming = List.copyOf(firsts.values());
        if (claiming.isEmpty()) {
            return Set.of();
        }
        Set<UUID> claimed = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                WITH claimed AS (
                    INSERT INTO idempotency (organization_id, route, key, request_hash, status, body)
                    SELECT organization_id, route, key, request_hash, 200, body
                    FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[])
                        AS c (organization_id, route, key, request_hash, body)
                """ + IdempotencyKeys.UNLESS_CLAIMED + """
                    RETURNING body
                )
                SELECT body FROM claimed
                """)) {
            var claims = claiming.stream().map(one -> one.claim().orElseThrow()).toList();
            List<String> bodies = claiming.stream()
                    .map(one -> StrictJson.write(one.message().stored()))
                    .toList();
            int next = new BatchInsert<>(statement, 1, claims)
                    .ids(Claim::organization)
                    .texts(Claim::route)
                    .texts(Claim::key)
                    .texts(Claim::hash)
                    .next();
            new BatchInsert<>(statement, next, bodies).texts(body -> body);
            Set<String> stored = new HashSet<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    stored.add(rows.getString(1));
                }
            }
            for (int i = 0; i < claiming.size(); i++) {
                if (stored.contains(bodies.get(i))) {
                    claimed.add(claiming.get(i).message().id().value());
                }
            }
        }
        return claimed;
    }

    private static Set<UUID> insert(Connection connection, List<MessageSubmission> batch, NodeId me)
            throws SQLException {
        List<NewMessage> all = messages(batch);
        Map<ConversationKey, MessageId> lasts = new HashMap<>();
        all.forEach(one -> lasts.put(key(one), one.id()));
        List<NewMessage> firsts = firsts(all);
        List<NewMessage> claiming =
                firsts(batch.stream()
                                .filter(one -> one.claims(me))
                                .map(MessageSubmission::message)
                                .toList())
                        .stream()
                        .sorted(Comparator.comparing(one -> one.organization().value()))
                        .toList();
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setObject(1, me.value());
            int next = new BatchInsert<>(statement, bindFirsts(statement, 2, firsts), firsts)
                    .ids(one -> lasts.get(key(one)))
                    .next();
            statement.setObject(next++, me.value());
            next = bindFirsts(statement, next, claiming);
            next = MessageRows.bind(statement, next, all);
            statement.setObject(next, me.value());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return outcome(row, batch.size());
            }
        }
    }

    /** The conversations that are another node's; an exception where nothing was stored. */
    private static Set<UUID> outcome(ResultSet row, int messages) throws SQLException {
        if (row.getInt(1) == 0) {
            throw new FencedException();
        }
        if (row.getInt(2) != messages) {
            throw new OutOfOrderException();
        }
        return Set.of((UUID[]) row.getArray(3).getArray());
    }

    private static ConversationKey key(NewMessage message) {
        return new ConversationKey(message.organization(), message.conversation());
    }

    /** The first message of each conversation, in the order in which statements lock conversations. */
    private static List<NewMessage> firsts(List<NewMessage> messages) {
        Map<ConversationKey, NewMessage> firsts = new LinkedHashMap<>();
        messages.forEach(one -> firsts.putIfAbsent(key(one), one));
        return firsts.values().stream()
                .sorted(Comparator.comparing(one -> one.conversation().value()))
                .toList();
    }

    private static int bindFirsts(PreparedStatement statement, int first, List<NewMessage> firsts) throws SQLException {
        return new BatchInsert<>(statement, first, firsts)
                .ids(NewMessage::organization)
                .ids(NewMessage::conversation)
                .ids(NewMessage::id)
                .next();
    }

    /** Nothing was stored: the batch must be numbered anew. */
    private static final class OutOfOrderException extends RuntimeException {
        private static final long serialVersionUID = 1;

        OutOfOrderException() {
            super("ids do not follow the newest of their conversation", null, false, false);
        }
    }

    /** A write found no fence row: this node's work is another's now. */
    static final class FencedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        FencedException() {
            super("this node was fenced", null, false, false);
        }
    }
}
