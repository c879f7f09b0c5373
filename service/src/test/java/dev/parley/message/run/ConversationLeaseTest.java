package dev.parley.message.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.TestSize;
import dev.parley.conversation.ConversationActivityRecorder;
import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationUsecase;
import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.message.MessageRows;
import dev.parley.message.NewMessage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a worker detects changes of its lease row by another node. */
class ConversationLeaseTest {
    private final Database database = TestPostgres.migrated();
    private final ProcessingStore store = new ProcessingStore(
            database,
            OtherNodeStores.events(database, (_, _) -> Optional.empty()),
            new ConversationActivityRecorder(database),
            TestSize.SMALLEST);
    private final NodeId owner = NodeId.next();
    private final ConversationRef conversation = new ConversationRef(
            OrganizationId.next(), ConversationId.next(), ConversationUsecase.DEFAULT, null, null, null);
    private final MessageId older = MessageId.next();
    private final MessageId newer = MessageId.next();
    private final ConversationLease row = new ConversationLease(store, conversation, owner);

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

    @Test
    void messagesAddedBetweenTwoReadsAreSeenAtTheNext() {
        write(newer, 1);
        assertThat(row.first()).contains(newer);
        assertThat(row.changed(1)).isEmpty();
        write(older, 3);
        // The messages were read at version 2, before the last was added.
        assertThat(row.changed(2)).contains(older);
        assertThat(row.changed(3)).contains(older);
        assertThat(row.changed(3)).isEmpty();
    }

    @Test
    void anotherRowOfTheSameVersionIsNotMistakenForThePreviousOne() {
        write(newer, 1);
        assertThat(row.first()).contains(newer);
        assertThat(row.first()).isEmpty();
        row.lost();
        write(older, 1);
        assertThat(row.first()).contains(older);
    }

    @Test
    void pendingMessagesReportAForeignOwner() {
        database.jdbc(connection -> {
            try (var statement = connection.prepareStatement(MessageRows.INSERT_SELECT)) {
                MessageRows.bind(
                        statement,
                        1,
                        List.of(NewMessage.userText(
                                conversation.organization(), conversation.id(), "Hello", null, "system")));
                return statement.executeUpdate();
            }
        });
        assertThat(store.pending(conversation, owner, older, 1).isElsewhere()).isFalse();
        write(older, 1);
        assertThat(store.pending(conversation, owner, older, 1).isElsewhere()).isFalse();
        assertThat(store.pending(conversation, owner, older, 1).version()).isEqualTo(1);
        assertThat(store.pending(conversation, NodeId.next(), older, 1).isElsewhere())
                .isTrue();
    }

    @Test
    void oneRowIsReadThoughItsNodeIsNewToTheStatistics() {
        fill(NodeId.next(), 64);
        database.change(handle -> handle.execute("ANALYZE conversation_lease"));
        fill(owner, 5_000);

        String plan = database.with(handle -> String.join(
                "\n",
                handle.createQuery("EXPLAIN SELECT * FROM conversation_lease"
                                + ProcessingStore.ConversationLeaseStore.HELD)
                        .bind("organization", conversation.organization())
                        .bind("conversation", conversation.id())
                        .bind("node", owner)
                        .mapTo(String.class)
                        .list()));

        String condition = plan.lines()
                .filter(line -> line.contains("Index Cond"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(plan));
        assertThat(condition).contains("organization_id =").contains("conversation_id =");
    }

    private void fill(NodeId node, int rows) {
        database.change(handle -> {
            handle.execute("DELETE FROM conversation_lease");
            handle.execute(
                    "INSERT INTO conversation_lease (organization_id, conversation_id, node_id, from_message, version)"
                            + " SELECT ?, md5(n::text)::uuid, ?, md5(n::text)::uuid, 1 FROM generate_series(1, ?) n",
                    conversation.organization().value(),
                    node.value(),
                    rows);
        });
    }

    private void write(MessageId from, int version) {
        database.change(handle -> {
            handle.execute("DELETE FROM conversation_lease");
            handle.execute(
                    "INSERT INTO conversation_lease (organization_id, conversation_id, node_id, from_message, version)"
                            + " VALUES (?, ?, ?, ?, ?)",
                    conversation.organization().value(),
                    conversation.id().value(),
                    owner.value(),
                    from.value(),
                    version);
        });
    }
}
