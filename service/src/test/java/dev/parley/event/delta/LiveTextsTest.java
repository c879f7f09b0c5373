package dev.parley.event.delta;

import static dev.parley.Tenant.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.event.EventLog.StreamKey;
import dev.parley.event.EventSubscriptions;
import dev.parley.event.SseClient;
import dev.parley.event.SseClient.Received;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.NodeLease;
import dev.parley.node.TestNodes;
import dev.parley.workflow.instance.Workflows;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Texts on live streams: of this node, and of another one on the same database. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class LiveTextsTest {
    @Inject
    LiveTexts here;

    @Inject
    Database database;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final MessageId message = MessageId.next();
    private Tenant tenant;
    private ConversationId conversation;

    @BeforeEach
    void createConversation() {
        tenant = Tenant.create();
        conversation = ConversationId.parse(tenant.conversation()).orElseThrow();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    @Test
    void lateReaderGetsTheTextSoFarAndThenTheRest() {
        SseClient early = follow();
        ReplyText text = reply(here, message);
        text.onText("Good ");
        early.awaitWithDeltas(all -> !all.isEmpty());
        text.onText("morning");
        SseClient late = follow();
        assertThat(data(late, 1).getFirst().toString())
                .isEqualTo("{\"message_id\":\"" + message + "\",\"index\":0,\"text\":\"Good morning\"}");
        text.onText("!");
        text.complete();
        for (SseClient reader : List.of(early, late)) {
            awaitText(reader, "Good morning!");
            assertThat(indexes(reader)).isEqualTo(range(indexes(reader).size()));
            assertThat(reader.received()).as("events with an id").isEmpty();
        }
        assertThat(here.of(new TextSource(tenant.organization(), conversation, null).key()))
                .isEmpty();
    }

    @Test
    @Tag("all")
    void firstDeltaFollowsTheFirstTokenWithin100Milliseconds() {
        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            try (SseClient reader = follow();
                    ReplyText text = here.ofMessage(tenant.organization(), conversation, MessageId::next)) {
                long start = System.nanoTime();
                text.onText("token");
                reader.awaitWithDeltas(all -> !all.isEmpty());
                delays.add(Duration.ofNanos(System.nanoTime() - start));
            }
        }
        delays.sort(Comparator.naturalOrder());
        assertThat(delays.get(delays.size() / 2)).as("median of " + delays).isLessThan(Duration.ofMillis(100));
    }

    @Test
    void textBeginsAgainAfterAReset() {
        SseClient reader = follow();
        ReplyText text = reply(here, message);
        text.onText("Wrong");
        awaitText(reader, "Wrong");
        text.onReset();
        text.onText("Right");
        List<Received> all = reader.awaitWithDeltas(found -> found.size() == 3);
        assertThat(all)
                .extracting(Received::type)
                .containsExactly("message.delta", "message.delta_reset", "message.delta");
        assertThat(node(all.get(1)).toString()).isEqualTo("{\"message_id\":\"" + message + "\"}");
        assertThat(node(all.get(2)).get("index").asInt()).isZero();
        text.close();
        reader.awaitWithDeltas(found -> found.getLast().type().equals("message.delta_reset"));
    }

    @Test
    void charactersThatNoMessageHasAreReplacedAndPairsAreNotSplit() {
        SseClient reader = follow();
        ReplyText text = reply(here, message);
        text.onText("a\0b\ud83d");
        text.onText("\ude00\udc00c\ud83d");
        text.complete();
        awaitText(reader, "ab\ud83d\ude00\ufffdc\ufffd");
    }

    @Test
    void streamOfAnInstanceHasOnlyItsOwnTasks() {
        var workflow = Workflows.of(tenant).human("approve").publish();
        WorkflowInstanceId instance = WorkflowInstanceId.parse(tenant.post(
                                "/workflows/" + workflow.text() + "/trigger/sync?wait_seconds=0",
                                Map.of("human_msg", "Please"))
                        .text("/workflow_instance_id"))
                .orElseThrow();
        SseClient reader = keep(SseClient.open(
                "/developer/api/workflow_instances/" + instance + "/events",
                "Authorization",
                "Bearer " + tenant.key()));
        ReplyText other = task(WorkflowInstanceId.next(), null, 1);
        ReplyText text = task(instance, 3, 2);
        other.onText("other");
        text.onText("{\"a\": ");
        text.onReset();
        text.onText("{\"b\": 1}");
        List<Received> deltas = reader.awaitWithDeltas(
                all -> all.stream().anyMatch(one -> one.data().contains("b")));
        assertThat(node(deltas.getLast()).toString())
                .isEqualTo("{\"workflow_instance_id\":\"" + instance
                        + "\",\"task_id\":\"write\",\"item\":3,\"attempt\":2,\"index\":0,\"text\":\"{\\\"b\\\": 1}\"}");
        assertThat(deltas).noneMatch(one -> one.data().contains("other"));
    }

    @Test
    void otherOrganizationsGetNothing() {
        SseClient reader = follow();
        OrganizationId other = Tenant.create().organization();
        ReplyText foreign = here.ofMessage(other, conversation, MessageId::next);
        ReplyText text = reply(here, message);
        open.add(foreign);
        foreign.onText("foreign");
        text.onText("own");
        awaitText(reader, "own");
    }

    @Test
    void slowReaderBlocksNobodyAndGetsTheLatestText() {
        SseClient slow = keep(SseClient.openWithoutReading(path(), "Authorization", "Bearer " + tenant.key()));
        SseClient reader = follow();
        for (int messages = 0; messages < 60; messages++) { // More than the connections buffer.
            ReplyText text = reply(here, MessageId.next());
            text.onText((messages + " ").repeat(40_000));
            text.complete();
        }
        ReplyText last = reply(here, message);
        last.onText("The ");
        last.onText("end");
        awaitLast(reader);
        slow.readOn();
        awaitLast(slow);
    }

    private void awaitLast(SseClient reader) {
        reader.awaitWithDeltas(all -> String.join(
                        "",
                        all.stream()
                                .filter(one -> one.data().contains(message.text()))
                                .map(one -> node(one).get("text").asText())
                                .toList())
                .equals("The end"));
    }

    @Test
    void textsOfAnotherNodeArriveWhoeverIsFirst() throws Exception {
        OtherNode there = start();
        ReplyText text = reply(there.texts, message);
        String many = "Grüße \ud83d\ude00\n".repeat(5_000);
        text.onText(many);
        SseClient late = follow();
        awaitText(late, many);
        text.onText("later");
        awaitText(late, many + "later");
        text.complete();

        MessageId next = MessageId.next();
        ReplyText second = reply(there.texts, next);
        second.onText("One");
        awaitText(late, many + "laterOne");
        second.onReset();
        second.onText("Two");
        List<Received> all =
                late.awaitWithDeltas(found -> found.getLast().data().contains("Two"));
        assertThat(all.get(all.size() - 2).type()).isEqualTo("message.delta_reset");
        assertThat(node(all.getLast()).get("message_id").asText()).isEqualTo(next.text());
    }

    @Test
    void afterANodeIsLostItsTextIsReset() throws Exception {
        OtherNode there = start();
        SseClient reader = follow();
        reply(there.texts, message).onText("Half a ");
        awaitText(reader, "Half a ");
        there.close();

        MessageId again = MessageId.next();
        ReplyText text = reply(here, again);
        text.onText("Whole");
        List<Received> all =
                reader.awaitWithDeltas(found -> found.getLast().data().contains("Whole"));
        assertThat(all.subList(all.size() - 2, all.size()))
                .extracting(
                        one -> one.type() + " " + node(one).get("message_id").asText())
                .containsExactly("message.delta_reset " + message, "message.delta " + again);
    }

    @Test
    void textOfATaskIsPolledOverAttemptsAndNodes() throws Exception {
        OtherNode there = start();
        WorkflowInstanceId instance = WorkflowInstanceId.next();
        var source = new TextSource(tenant.organization(), conversation, instance);
        TaskTextReader reader = keep(here.read(source, instance, "write"));
        var read = new StringBuilder();
        keep(there.texts.ofTask(source, instance, "write", 0, 1)).onText("of an item");
        ReplyText first = keep(there.texts.ofTask(source, instance, "write", null, 1));
        first.onText("Half");
        eventually(() -> read.append(reader.next(() -> read.setLength(0))).toString(), "Half"::equals);
        first.close();
        keep(here.ofTask(source, instance, "write", null, 2)).onText("Whole");
        eventually(() -> read.append(reader.next(() -> read.setLength(0))).toString(), "Whole"::equals);
    }

    @Test
    void nothingIsSentToNodesWithoutReaders() throws Exception {
        OtherNode there = start();
        String unread = tenant.conversation();
        ReplyText text = there.texts.ofMessage(
                tenant.organization(), ConversationId.parse(unread).orElseThrow(), MessageId::next);
        open.add(text);
        SseClient reader = follow();
        text.onText("secret");
        ReplyText read = reply(there.texts, message);
        read.onText("read");
        awaitText(reader, "read");
        reader.close();
        eventually(
                () -> {
                    read.onText(".");
                    return there.exchange.isFollowed(there.texts
                            .of(new TextSource(tenant.organization(), conversation, null).key())
                            .getFirst());
                },
                isFollowed -> !isFollowed);
        assertThat(there.sent).anyMatch(one -> one.contains("read")).noneMatch(one -> one.contains("secret"));
    }

    /** Another node, as far as texts are concerned. */
    private final class OtherNode implements AutoCloseable {
        final TextExchange exchange = new TextExchange(database);
        final LiveTexts texts = new LiveTexts(exchange, Tenant.bean(EventSubscriptions.class));
        final List<String> sent = new CopyOnWriteArrayList<>();
        private final NodeLease lease = TestNodes.start(database);
        private final Database own = database.reserve("other node", 1);
        private final Connection connection = own.dataSource().getConnection();
        private volatile boolean closed;

        OtherNode() throws Exception {
            String ofHere = Tenant.bean(TextExchange.class).ownChannel();
            try (Statement statement = connection.createStatement()) {
                for (String channel : List.of(TextExchange.CHANNEL, exchange.ownChannel(), ofHere)) {
                    statement.execute("LISTEN " + channel);
                }
            }
            texts.start(new StartupEvent());
            texts.subscribe(new TextReaders() {
                @Override
                public boolean hasReaders(StreamKey stream) {
                    return false;
                }

                @Override
                public void onChange(LiveText text) {}
            });
            Thread.ofVirtual().start(() -> listen(ofHere));
        }

        private void listen(String ofHere) {
            try (own;
                    connection) {
                while (!closed) {
                    PGNotification[] some =
                            connection.unwrap(PGConnection.class).getNotifications(50);
                    for (PGNotification one : some == null ? new PGNotification[0] : some) {
                        if (one.getName().equals(ofHere)) {
                            sent.add(one.getParameter());
                        } else {
                            exchange.onNotification(one.getParameter());
                        }
                    }
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            closed = true;
            texts.stop(new ShutdownEvent());
            lease.close();
        }
    }

    private OtherNode start() throws Exception {
        return keep(new OtherNode());
    }

    private ReplyText reply(LiveTexts node, MessageId id) {
        ReplyText text = node.ofMessage(tenant.organization(), conversation, () -> id);
        open.addFirst(text);
        return text;
    }

    private ReplyText task(WorkflowInstanceId instance, @Nullable Integer item, int attempt) {
        return keep(
                here.ofTask(new TextSource(tenant.organization(), null, instance), instance, "write", item, attempt));
    }

    private SseClient follow() {
        SseClient stream = keep(SseClient.open(path(), "Authorization", "Bearer " + tenant.key()));
        assertThat(stream.status()).isEqualTo(200);
        return stream;
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.add(one);
        return one;
    }

    private String path() {
        return "/developer/api/conversations/" + conversation + "/events";
    }

    private static void awaitText(SseClient reader, String text) {
        eventually(
                Duration.ofMinutes(2),
                () -> String.join(
                        "",
                        deltas(reader).stream()
                                .map(one -> one.get("text").asText())
                                .toList()),
                text::equals);
    }

    private static List<JsonNode> data(SseClient reader, int count) {
        reader.awaitWithDeltas(all -> all.size() >= count);
        return deltas(reader);
    }

    private static List<JsonNode> deltas(SseClient reader) {
        return reader.awaitWithDeltas(_ -> true).stream()
                .filter(one -> one.type().endsWith(".delta"))
                .map(LiveTextsTest::node)
                .toList();
    }

    private static List<Integer> indexes(SseClient reader) {
        return deltas(reader).stream().map(one -> one.get("index").asInt()).toList();
    }

    private static List<Integer> range(int size) {
        return java.util.stream.IntStream.range(0, size).boxed().toList();
    }

    private static JsonNode node(Received one) {
        return StrictJson.readTrusted(one.data(), JsonNode.class).get("data");
    }
}
