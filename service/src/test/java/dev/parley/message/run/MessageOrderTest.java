package dev.parley.message.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.TestSize;
import dev.parley.conversation.ConversationActivityRecorder;
import dev.parley.conversation.ConversationCache;
import dev.parley.conversation.ConversationRef;
import dev.parley.db.BackgroundThrottle;
import dev.parley.db.Database;
import dev.parley.event.SseClient;
import dev.parley.http.IdempotencyKeys;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.media.UploadService;
import dev.parley.message.Message;
import dev.parley.message.MessageEvents;
import dev.parley.message.MessageHandler;
import dev.parley.message.MessageStatus;
import dev.parley.message.api.MessageService;
import dev.parley.node.NodeLease;
import dev.parley.ratelimit.RateLimits;
import dev.parley.usage.UsageCounters;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.CDI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The messages of a conversation are answered in list order, whichever nodes stored them and when. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class MessageOrderTest {
    private static final int LIMIT = 1_000_000;
    private static final int AT_ONCE = 4;

    private Tenant tenant;
    private NodeLease otherNode;
    private MessageStore otherStore;
    private ProcessingStore otherProcessing;
    private MessageProcessor otherProcessor;
    private MessageService there;

    @BeforeEach
    void aSecondNode() {
        tenant = Tenant.create();
        var database = Tenant.bean(Database.class);
        otherNode = new NodeLease(database, Duration.ofMinutes(1));
        otherNode.fenced(otherNode.id());
        MessageEvents events = OtherNodeStores.events(database, (_, _) -> Optional.empty());
        otherStore = OtherNodeStores.messages(database, otherNode);
        otherProcessing =
                new ProcessingStore(database, events, new ConversationActivityRecorder(database), TestSize.SMALLEST);
        otherProcessor = new MessageProcessor(
                otherProcessing,
                Tenant.bean(ConversationCache.class),
                otherNode,
                CDI.current().select(MessageHandler.class, Any.Literal.INSTANCE),
                new BackgroundThrottle(),
                TestSize.SMALLEST);
        otherProcessor.start(new StartupEvent());
        there = new MessageService(
                Tenant.bean(ConversationCache.class),
                otherStore,
                otherProcessor,
                Tenant.bean(RateLimits.class),
                Tenant.bean(IdempotencyKeys.class),
                Tenant.bean(UploadService.class),
                Tenant.bean(UsageCounters.class));
    }

    @AfterEach
    void close() {
        otherProcessor.stop(new ShutdownEvent());
        otherStore.close();
        otherProcessing.close();
        otherNode.close();
    }

    @Test
    void ofMessagesThatOneNodeStoresAtOnce() throws Exception {
        MessageService here = Tenant.bean(MessageService.class);
        assertAnsweredInOrder(150, List.of(here, here, here, here));
    }

    @Test
    void ofMessagesThatTwoNodesStoreAtOnce() throws Exception {
        MessageService here = Tenant.bean(MessageService.class);
        assertAnsweredInOrder(60, List.of(here, there, here, there));
    }

    /** Stores messages concurrently in each of many new conversations, and compares the replies with the list. */
    private void assertAnsweredInOrder(int rounds, List<MessageService> nodes) throws Exception {
        List<String> conversations = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            String conversation = tenant.conversation();
            sendAtOnce(conversation, nodes);
            conversations.add(conversation);
        }
        List<List<String>> listed = new ArrayList<>();
        List<List<String>> answered = new ArrayList<>();
        for (String conversation : conversations) {
            List<JsonNode> all = answered(conversation, AT_ONCE);
            listed.add(contents(all, "USER_INPUT"));
            answered.add(contents(all, "AGENT_RESPONSE").stream()
                    .map(MessageOrderTest::question)
                    .toList());
        }
        assertThat(answered).isEqualTo(listed);
    }

    @Test
    void aMessageIsListedAfterThoseOfANodeWhoseClockIsAhead() {
        String conversation = tenant.conversation();
        tenant.send(conversation, "Question 1.").expect(200);
        answered(conversation, 1);
        MessageId ahead = ahead(Duration.ofSeconds(3));
        inTransaction(connection -> insert(connection, conversation, ahead, "AGENT_RESPONSE", "DELIVERED", "Ahead"));
        String sent = tenant.send(conversation, "Question 2.").expect(200).text("/id");
        List<JsonNode> all = answered(conversation, 3);
        assertThat(all.stream().map(message -> message.at("/type").asText()))
                .containsExactly("USER_INPUT", "AGENT_RESPONSE", "AGENT_RESPONSE", "USER_INPUT", "AGENT_RESPONSE");
        assertThat(all.get(3).at("/id").asText()).isEqualTo(sent);
        assertThat(all.stream().map(message -> message.at("/created_at").asText()))
                .isSorted();
    }

    @Test
    void aMessageIsStoredAfterOneThatAnotherNodeIsStoring() throws Exception {
        String conversation = tenant.conversation();
        tenant.send(conversation, "Question 1.").expect(200);
        answered(conversation, 1);
        CompletableFuture<Api.Answer> third;
        MessageId second = ahead(Duration.ofSeconds(3));
        try (Connection other = Tenant.bean(Database.class).dataSource().getConnection()) {
            other.setAutoCommit(false);
            boolean _ = other.createStatement().execute("SET LOCAL idle_in_transaction_session_timeout = 0");
            lock(other, conversation, second);
            insert(other, conversation, second, "USER_INPUT", "RECEIVED", "Question 2.");
            third = CompletableFuture.supplyAsync(() -> tenant.send(conversation, "Question 3."));
            // Before that, another message could go into the same batch, and would wait with it.
            var _ = Tenant.eventually(() -> waitsFor(other), waits -> waits);
            String another = tenant.conversation();
            tenant.send(another, "Question.").expect(200);
            answered(another, 1);
            assertThat(third).isNotDone();
            other.commit();
        }
        assertThat(third.join().expect(200).text("/id")).isGreaterThan(second.text());
        assertThat(contents(answered(conversation, 3), "AGENT_RESPONSE").stream()
                        .map(MessageOrderTest::question))
                .containsExactly("Question 1.", "Question 2.", "Question 3.");
    }

    /** The worker reads both at once; the second takes long, while the result of the first one is not written yet. */
    @Test
    void slowMessageIsPublishedAfterEarlierOnesWhoseResultIsNotWritten() throws Exception {
        String conversation = tenant.conversation();
        tenant.send(conversation, "Hello").expect(200);
        answered(conversation, 1);
        try (SseClient stream = SseClient.open(
                "/developer/api/conversations/" + conversation + "/events",
                "Authorization",
                "Bearer " + tenant.key())) {
            inTransaction(connection -> {
                MessageId first = MessageId.next();
                MessageId second = MessageId.next();
                lock(connection, conversation, second);
                insert(connection, conversation, first, "USER_INPUT", "RECEIVED", "Question 1.");
                insert(connection, conversation, second, "USER_INPUT", "RECEIVED", "offline:wait 2000 Question 2.");
            });
            assertThat(stream
                            .await(all -> all.stream()
                                            .filter(event -> event.data().contains("AGENT_RESPONSE"))
                                            .count()
                                    >= 2)
                            .stream()
                            .map(SseClient.Received::data)
                            .filter(data -> data.contains("message.created") && data.contains("USER_INPUT"))
                            .map(data -> data.replaceFirst("(?s).*(Question \\d).*", "$1")))
                    .containsExactly("Question 1", "Question 2");
        }
    }

    private void sendAtOnce(String conversation, List<MessageService> nodes) throws Exception {
        ConversationRef ref = Tenant.bean(ConversationCache.class)
                .ref(tenant.organization(), ConversationId.parse(conversation).orElseThrow())
                .orElseThrow();
        var start = new CyclicBarrier(nodes.size());
        List<Callable<Message>> sends = IntStream.range(0, nodes.size())
                .<Callable<Message>>mapToObj(i -> () -> {
                    start.await();
                    return nodes.get(i)
                            .sendAs("system", ref, LIMIT, "Question " + i + ".", null, null)
                            .join();
                })
                .toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Message> sent : threads.invokeAll(sends)) {
                assertThat(sent.get().status()).isEqualTo(MessageStatus.RECEIVED);
            }
        }
    }

    /** All messages, oldest first. */
    private List<JsonNode> listed(String conversation) {
        JsonNode newestFirst = tenant.get("/conversations/" + conversation + "/messages")
                .expect(200)
                .json();
        return StreamSupport.stream(newestFirst.spliterator(), false).toList().reversed();
    }

    private List<JsonNode> answered(String conversation, int answers) {
        return Tenant.eventually(
                () -> listed(conversation),
                all -> contents(all, "AGENT_RESPONSE").size() == answers);
    }

    private static List<String> contents(List<JsonNode> messages, String type) {
        return messages.stream()
                .filter(message -> message.at("/type").asText().equals(type))
                .map(message -> message.at("/content").asText())
                .toList();
    }

    /** The question in a reply of the offline model, which repeats it. */
    private static String question(String answer) {
        return answer.replaceFirst("(?s).*?(Question \\d\\.).*", "$1");
    }

    private static MessageId ahead(Duration skew) {
        UUID now = MessageId.next().value();
        return new MessageId(
                new UUID(now.getMostSignificantBits() + (skew.toMillis() << 16), now.getLeastSignificantBits()));
    }

    private void insert(
            Connection connection, String conversation, MessageId id, String type, String status, String content)
            throws SQLException {
        try (var statement = connection.prepareStatement("""
                INSERT INTO message (organization_id, conversation_id, id, type, content_type, content, status,
                    created_by, created_at, updated_at)
                VALUES (?, ?, ?, ?, 'TEXT', ?, ?, 'system', to_timestamp(?::float8 / 1000), now())
                """)) {
            statement.setObject(1, tenant.organization().value());
            statement.setObject(2, UUID.fromString(hyphenated(conversation)));
            statement.setObject(3, id.value());
            statement.setString(4, type);
            statement.setString(5, content);
            statement.setString(6, status);
            statement.setLong(7, id.value().getMostSignificantBits() >>> 16);
            assertThat(statement.executeUpdate()).isOne();
        }
    }

    /** Locks like a node that stores a message in a conversation of another one. */
    private static void lock(Connection connection, String conversation, MessageId message) throws SQLException {
        UUID id = UUID.fromString(hyphenated(conversation));
        try (var lock = connection.prepareStatement("UPDATE conversation SET newest_message = ? WHERE id = ?");
                var work = connection.prepareStatement(
                        "UPDATE conversation_lease SET version = version + 1 WHERE conversation_id = ?")) {
            lock.setObject(1, message.value());
            lock.setObject(2, id);
            assertThat(lock.executeUpdate()).isOne();
            work.setObject(1, id);
            assertThat(work.executeUpdate()).isOne();
        }
    }

    /** Whether a session waits for a lock of this one. */
    private static boolean waitsFor(Connection connection) {
        try (var rows = connection.createStatement().executeQuery("""
                SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
                """)) {
            return rows.next();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String hyphenated(String id) {
        return id.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
    }

    private static void inTransaction(Work work) {
        boolean done = Tenant.bean(Database.class).jdbcTransaction(connection -> {
            work.run(connection);
            return true;
        });
        assertThat(done).isTrue();
    }

    private interface Work {
        void run(Connection connection) throws SQLException;
    }
}
