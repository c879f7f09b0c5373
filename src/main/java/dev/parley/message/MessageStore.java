package dev.parley.message;

import dev.parley.db.ColumnArray;
import dev.parley.db.Database;
import dev.parley.db.GroupCommit;
import dev.parley.db.Precedence;
import dev.parley.http.Idempotency;
import dev.parley.http.Idempotency.Claim;
import dev.parley.http.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.message.NewMessage.Submission;
import dev.parley.node.NodeLease;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Stores users' messages: the hot path of the service. What arrives while a batch commits goes into the next, by one
 * statement in one commit, together with the claim of its conversation's work and of its idempotency key.
 */
@Singleton
public final class MessageStore {
    private static final int WRITERS = 2;

    private static final int BATCH = 512;
    private static final int FENCE_ATTEMPTS = 3;

    /**
     * Inserts the messages, and the work rows of the conversations that this node did not hold yet; a row that another
     * node holds is counted up, so that its owner looks again. Answers how many messages were inserted, and the
     * conversations that are another node's.
     */
    private static final String INSERT = NodeLease.FENCE + """
            , work AS (
                INSERT INTO conversation_work (organization_id, conversation_id, node_id, from_message, version)
                SELECT w.organization_id, w.conversation_id, ?, w.message_id, 1
                FROM unnest(?::uuid[], ?::uuid[], ?::uuid[]) AS w (organization_id, conversation_id, message_id), fence
                ON CONFLICT (organization_id, conversation_id) DO UPDATE SET
                    version = conversation_work.version + 1,
                    from_message = LEAST(conversation_work.from_message, EXCLUDED.from_message)
                RETURNING conversation_id, node_id
            ), inserted AS (
            """ + MessageRows.INSERT_SELECT + """
            , fence RETURNING 1
            )
            SELECT (SELECT count(*) FROM inserted), ARRAY(SELECT conversation_id FROM work WHERE node_id <> ?)
            """;

    private final Database database;
    private final NodeLease node;
    private final MessageEvents events;
    private final UntoldStore waiting;
    private final GroupCommit<Submission, Receipt> commits;

    /** Of messages that are told of at once: a conversation has one writer, since its stream of events is locked by a commit. */
    private final List<GroupCommit<Submission, Receipt>> toldCommits;

    /** What became of a submission. */
    public enum Receipt {
        /** Stored; this node processes the conversation. */
        STORED,
        /** Stored; another node processes the conversation. */
        STORED_ELSEWHERE,
        /** Not stored: its idempotency key was claimed before. */
        DUPLICATE
    }

    public MessageStore(
            Database database, NodeLease node, MessageEvents events, UntoldStore waiting, Precedence precedence) {
        this.database = database;
        this.node = node;
        this.events = events;
        this.waiting = waiting;
        this.commits = commits("message-commit", WRITERS, precedence);
        this.toldCommits = IntStream.range(0, WRITERS)
                .mapToObj(i -> commits("message-commit-told-" + i, 1, precedence))
                .toList();
    }

    private GroupCommit<Submission, Receipt> commits(String name, int writers, Precedence precedence) {
        return new GroupCommit<Submission, Receipt>(
                        name, writers, BATCH, one -> one.message().weight(), this::write)
                .watchedBy(precedence::waited);
    }

    @PreDestroy
    void close() {
        commits.close();
        toldCommits.forEach(GroupCommit::close);
    }

    /** Stores a user's message; completes after the commit, or with a problem when it was not stored. */
    CompletableFuture<Receipt> submit(Submission submission) {
        return writer(submission.message()).submit(submission);
    }

    private GroupCommit<Submission, Receipt> writer(NewMessage message) {
        return events.wantsCreated(message) && !events.isToldLater(message)
                ? toldCommits.get(Math.floorMod(message.conversation().hashCode(), WRITERS))
                : commits;
    }

    private List<Receipt> write(List<Submission> batch) {
        for (int attempt = 1; ; attempt++) {
            NodeId me = node.id();
            Set<MessageId> untold = events.toldLater(messages(batch));
            try {
                boolean told = isTold(batch, untold);
                if (told) {
                    waiting.tellBefore(messages(batch), me);
                }
                return told || batch.stream().anyMatch(one -> one.claim().isPresent())
                        ? writeTogether(batch, me, untold)
                        : writePlain(batch, me, untold);
            } catch (FencedException e) {
                // Another node took this one's work over. Under a new id it may store what it was handed.
                node.fenced(me);
                if (attempt == FENCE_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private List<Receipt> writePlain(List<Submission> batch, NodeId me, Set<MessageId> untold) {
        Set<UUID> elsewhere = database.jdbc(connection -> insert(connection, batch, me, untold));
        if (isTold(batch, untold)) {
            // Somebody began to watch while the statement ran, and relies on hearing of what was committed since.
            waiting.tellBefore(messages(batch), me);
            database.jdbcTransaction(connection -> tell(connection, batch, untold));
        }
        return receipts(batch, me, elsewhere, Set.of());
    }

    private static List<NewMessage> messages(List<Submission> batch) {
        return batch.stream().map(Submission::message).toList();
    }

    private boolean isTold(List<Submission> batch, Set<MessageId> untold) {
        return messages(batch).stream().anyMatch(one -> !untold.contains(one.id()) && events.wantsCreated(one));
    }

    private boolean tell(Connection connection, List<Submission> batch, Set<MessageId> untold) throws SQLException {
        List<NewMessage> told = messages(batch).stream()
                .filter(one -> !untold.contains(one.id()))
                .toList();
        events.append(connection, events.created(connection, told));
        return true;
    }

    private List<Receipt> writeTogether(List<Submission> batch, NodeId me, Set<MessageId> untold) {
        return database.jdbcTransaction(connection -> {
            boolean claims = batch.stream().anyMatch(one -> one.claim().isPresent());
            Set<UUID> won = claims ? claim(connection, batch) : Set.of();
            List<Submission> winners = new ArrayList<>();
            Set<UUID> lost = new HashSet<>();
            for (Submission one : batch) {
                if (one.claim().isEmpty() || won.contains(one.message().id().value())) {
                    winners.add(one);
                } else {
                    lost.add(one.message().id().value());
                }
            }
            Set<UUID> elsewhere = winners.isEmpty() ? Set.of() : insert(connection, winners, me, untold);
            tell(connection, winners, untold);
            return receipts(batch, me, elsewhere, lost);
        });
    }

    private static List<Receipt> receipts(List<Submission> batch, NodeId me, Set<UUID> elsewhere, Set<UUID> lost) {
        return batch.stream()
                .map(one -> {
                    if (lost.contains(one.message().id().value())) {
                        return Receipt.DUPLICATE;
                    }
                    boolean foreign = one.claims(me)
                            && elsewhere.contains(one.message().conversation().value());
                    return foreign ? Receipt.STORED_ELSEWHERE : Receipt.STORED;
                })
                .toList();
    }

    /** Claims the idempotency keys, each with the answer that its message gets; answers the messages that won. */
    private static Set<UUID> claim(Connection connection, List<Submission> batch) throws SQLException {
        record Key(OrganizationId organization, String route, String key) {}
        Map<Key, Submission> firsts = new LinkedHashMap<>();
        batch.stream()
                .filter(one -> one.claim().isPresent())
                .sorted(Comparator.comparing(one -> one.claim().orElseThrow().key()))
                .forEach(one -> {
                    Claim claim = one.claim().orElseThrow();
                    // As below, ON CONFLICT may not meet a row twice in one statement.
                    firsts.putIfAbsent(new Key(claim.organization(), claim.route(), claim.key()), one);
                });
        List<Submission> claiming = List.copyOf(firsts.values());
        Set<UUID> won = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                WITH claimed AS (
                    INSERT INTO idempotency (organization_id, route, key, request_hash, status, body)
                    SELECT organization_id, route, key, request_hash, 200, body
                    FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[])
                        AS c (organization_id, route, key, request_hash, body)
                """ + Idempotency.UNLESS_CLAIMED + """
                    RETURNING body
                )
                SELECT body FROM claimed
                """)) {
            var claims = claiming.stream().map(one -> one.claim().orElseThrow()).toList();
            List<String> bodies = claiming.stream()
                    .map(one -> StrictJson.write(one.message().stored()))
                    .toList();
            statement.setArray(1, ColumnArray.column(connection, "uuid", claims, one -> one.organization()
                    .value()));
            statement.setArray(2, ColumnArray.column(connection, "text", claims, Claim::route));
            statement.setArray(3, ColumnArray.column(connection, "text", claims, Claim::key));
            statement.setArray(4, ColumnArray.column(connection, "text", claims, Claim::hash));
            statement.setArray(5, ColumnArray.column(connection, "text", bodies, body -> body));
            Set<String> stored = new HashSet<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    stored.add(rows.getString(1));
                }
            }
            for (int i = 0; i < claiming.size(); i++) {
                if (stored.contains(bodies.get(i))) {
                    won.add(claiming.get(i).message().id().value());
                }
            }
        }
        return won;
    }

    private static Set<UUID> insert(Connection connection, List<Submission> batch, NodeId me, Set<MessageId> untold)
            throws SQLException {
        List<Submission> claiming = batch.stream()
                .filter(one -> one.claims(me))
                .sorted(Comparator.comparing(
                                (Submission one) -> one.message().organization().value())
                        .thenComparing(one -> one.message().conversation().value())
                        .thenComparing(one -> one.message().id().value()))
                .toList();
        List<UUID> organizations = new ArrayList<>();
        List<UUID> conversations = new ArrayList<>();
        List<UUID> messages = new ArrayList<>();
        record Key(OrganizationId organization, ConversationId conversation) {}
        Set<Key> seen = new HashSet<>();
        for (Submission one : claiming) {
            NewMessage message = one.message();
            // ON CONFLICT may not meet a row twice in one statement; the first is the oldest.
            if (seen.add(new Key(message.organization(), message.conversation()))) {
                organizations.add(message.organization().value());
                conversations.add(message.conversation().value());
                messages.add(message.id().value());
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setObject(1, me.value());
            statement.setObject(2, me.value());
            statement.setArray(3, ColumnArray.of(connection, organizations.toArray(UUID[]::new)));
            statement.setArray(4, ColumnArray.of(connection, conversations.toArray(UUID[]::new)));
            statement.setArray(5, ColumnArray.of(connection, messages.toArray(UUID[]::new)));
            int next = MessageRows.bind(statement, 6, messages(batch), untold);
            statement.setObject(next, me.value());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getInt(1) != batch.size()) {
                    throw new FencedException();
                }
                return Set.of((UUID[]) row.getArray(2).getArray());
            }
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
