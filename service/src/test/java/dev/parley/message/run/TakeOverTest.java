package dev.parley.message.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Tenant;
import dev.parley.TestSize;
import dev.parley.conversation.ConversationActivityRecorder;
import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationUsecase;
import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.http.IdempotencyKeys;
import dev.parley.id.ConversationId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.message.MessageStatus;
import dev.parley.message.NewMessage;
import dev.parley.message.PendingMessage;
import dev.parley.message.run.MessageStore.InsertReceipt;
import dev.parley.node.NodeLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages whose node loses its work to another while it processes them. */
class TakeOverTest {
    private final OrganizationId organization = OrganizationId.next();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Database database;

    @BeforeEach
    void aDatabase() {
        database = TestPostgres.migrated();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        database.close();
    }

    @Test
    void aMessageOfAWorkerThatLostItsLeaseClaimsItAgain() {
        NodeLease node = node();
        MessageStore store = store(node);
        NodeId before = node.id();
        NewMessage message = message(ConversationId.next());
        delete(before);
        InsertReceipt receipt = store.submit(new MessageSubmission(message, Optional.of(before), Optional.empty()))
                .join();
        assertThat(receipt).isEqualTo(InsertReceipt.STORED);
        assertThat(node.id()).isNotEqualTo(before);
        assertThat(ownerOf(message.conversation())).contains(node.id().value());
    }

    @Test
    void aMessageOfAWorkerThatLostItsLeaseNotifiesTheNewOwner() {
        NodeLease node = node();
        MessageStore store = store(node);
        NodeId before = node.id();
        ConversationId conversation = ConversationId.next();
        store.submit(new MessageSubmission(message(conversation), Optional.empty(), Optional.empty()))
                .join();
        NodeLease other = node();
        database.change(handle -> {
            handle.execute("DELETE FROM node WHERE id = ?", before.value());
            ProcessingStore.adopt(handle, before, other.id());
        });
        InsertReceipt receipt = store.submit(
                        new MessageSubmission(message(conversation), Optional.of(before), Optional.empty()))
                .join();
        assertThat(receipt).isEqualTo(InsertReceipt.STORED_ELSEWHERE);
        assertThat(ownerOf(conversation)).contains(other.id().value());
        int version = database.with(handle -> handle.select(
                        "SELECT version FROM conversation_lease WHERE conversation_id = ?", conversation.value())
                .mapTo(Integer.class)
                .one());
        assertThat(version)
                .as("the owner cannot release the row unaware of the message")
                .isGreaterThan(1);
    }

    @Test
    void resultsOfAFencedNodeIdAreRejectedAndOthersStored() throws Exception {
        NodeId dead = node().id();
        NodeId alive = node().id();
        var store = new ProcessingStore(
                database,
                OtherNodeStores.events(database, (_, _) -> Optional.empty()),
                new ConversationActivityRecorder(database),
                TestSize.SMALLEST);
        open.add(store::close);
        PendingMessage parked = stored(alive);
        PendingMessage ofDead = stored(dead);
        PendingMessage ofAlive = stored(alive);
        delete(dead);
        CompletableFuture<ProcessingStore.CompletionResult> first;
        CompletableFuture<ProcessingStore.CompletionResult> second;
        CompletableFuture<ProcessingStore.CompletionResult> third;
        try (var lock = database.dataSource().getConnection();
                var statement = lock.createStatement()) {
            lock.setAutoCommit(false);
            // The writer waits for this row, while the other two form the next batch.
            statement.execute("SELECT 1 FROM message WHERE id = '" + parked.id().value() + "' FOR UPDATE");
            first = store.finish(
                    List.of(new ProcessingStore.CompletedMessage(parked, MessageStatus.DELIVERED, List.of())));
            second = store.finish(
                    List.of(new ProcessingStore.CompletedMessage(ofDead, MessageStatus.DELIVERED, List.of())));
            third = store.finish(
                    List.of(new ProcessingStore.CompletedMessage(ofAlive, MessageStatus.DELIVERED, List.of())));
            lock.rollback();
        }
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(ProcessingStore.CompletionResult.FINISHED);
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(ProcessingStore.CompletionResult.FENCED);
        assertThat(third.get(10, TimeUnit.SECONDS)).isEqualTo(ProcessingStore.CompletionResult.FINISHED);
        NewMessage late = message(ofAlive.conversation().id());
        assertThat(store.finish(List.of(
                                new ProcessingStore.CompletedMessage(ofAlive, MessageStatus.DELIVERED, List.of(late))))
                        .get(10, TimeUnit.SECONDS))
                .isEqualTo(ProcessingStore.CompletionResult.FINISHED);
        int replies = database.with(handle -> handle.select("SELECT count(*) FROM message WHERE id = ?", late.id())
                .mapTo(Integer.class)
                .one());
        assertThat(replies).as("what was finished before gets no second reply").isZero();
    }

    @Test
    void messagesThatAnotherTransactionJustChangesAreAllFinished() throws Exception {
        NodeId alive = node().id();
        var store = new ProcessingStore(
                database,
                OtherNodeStores.events(database, (_, _) -> Optional.empty()),
                new ConversationActivityRecorder(database),
                TestSize.SMALLEST);
        open.add(store::close);
        List<PendingMessage> messages = List.of(stored(alive), stored(alive), stored(alive));
        CompletableFuture<ProcessingStore.CompletionResult> finished;
        try (var other = database.dataSource().getConnection();
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            assertThat(statement.executeUpdate("UPDATE message SET status = 'PROCESSING'"))
                    .isEqualTo(3);
            finished = store.finish(messages.stream()
                    .map(message -> new ProcessingStore.CompletedMessage(message, MessageStatus.DELIVERED, List.of()))
                    .toList());
            Tenant.eventually(this::waitingForLocks, waiting -> waiting == 1);
            other.commit();
        }
        assertThat(finished.get(10, TimeUnit.SECONDS)).isEqualTo(ProcessingStore.CompletionResult.FINISHED);
        List<String> statuses = database.with(handle ->
                handle.select("SELECT status FROM message").mapTo(String.class).list());
        assertThat(statuses).containsOnly("DELIVERED");
    }

    private int waitingForLocks() {
        return database.with(handle -> handle.select("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
                .mapTo(Integer.class)
                .one());
    }

    @Test
    void ofTwoNodesThatStoreOneIdempotencyKeyOneDoes() {
        List<MessageStore> stores = List.of(store(node()), store(node()));
        ConversationId conversation = ConversationId.next();
        for (int i = 0; i < 50; i++) {
            var claim = Optional.of(new IdempotencyKeys.Claim(organization, "POST /messages", "key-" + i, "hash"));
            List<CompletableFuture<InsertReceipt>> receipts = stores.stream()
                    .map(store -> store.submit(new MessageSubmission(message(conversation), Optional.empty(), claim)))
                    .toList();
            assertThat(receipts.stream()
                            .map(CompletableFuture::join)
                            .filter(receipt -> receipt == InsertReceipt.DUPLICATE))
                    .hasSize(1);
        }
        int rows = database.with(handle -> handle.select("SELECT count(*) FROM message")
                .mapTo(Integer.class)
                .one());
        assertThat(rows).isEqualTo(50);
    }

    private NodeLease node() {
        var node = new NodeLease(database, Duration.ofMinutes(1));
        open.add(node);
        node.fenced(node.id());
        return node;
    }

    private MessageStore store(NodeLease node) {
        MessageStore store = OtherNodeStores.messages(database, node);
        open.add(store::close);
        return store;
    }

    private NewMessage message(ConversationId conversation) {
        return NewMessage.userText(organization, conversation, "Hello", null, "system");
    }

    /** A message that waits in its own conversation. */
    private PendingMessage stored(NodeId owner) {
        var submission = new MessageSubmission(message(ConversationId.next()), Optional.empty(), Optional.empty());
        store(node()).submit(submission).join();
        NewMessage message = submission.message();
        var conversation = new ConversationRef(
                organization, message.conversation(), ConversationUsecase.DEFAULT, null, null, null);
        return new PendingMessage(conversation, message.id(), owner, "TEXT", "Hello", null, null, false, null);
    }

    private void delete(NodeId node) {
        database.change(handle -> handle.execute("DELETE FROM node WHERE id = ?", node.value()));
    }

    private Optional<UUID> ownerOf(ConversationId conversation) {
        return database.with(handle -> handle.select(
                        "SELECT node_id FROM conversation_lease WHERE conversation_id = ?", conversation.value())
                .mapTo(UUID.class)
                .findOne());
    }
}
