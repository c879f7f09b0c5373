package dev.parley.message.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.egress.ScriptedServer;
import dev.parley.event.SseClient;
import dev.parley.event.SseClient.Received;
import dev.parley.http.json.StrictJson;
import dev.parley.id.WorkflowId;
import dev.parley.workflow.instance.Workflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The deltas of replies and AI tasks on live streams. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class LiveReplyTest {
    private Tenant tenant;

    @BeforeEach
    void createTenant() {
        tenant = Tenant.create();
    }

    @Test
    void deltasPrecedeTheMessageAndAreItsText() {
        String conversation = tenant.conversation();
        try (SseClient stream = follow(conversation)) {
            tenant.send(conversation, "Hello").expect(200);
            List<Received> all = stream.awaitWithDeltas(found -> reply(found) != null);
            JsonNode reply = Objects.requireNonNull(reply(all));
            List<JsonNode> deltas = all.stream()
                    .takeWhile(one -> !one.data().contains("AGENT_RESPONSE"))
                    .filter(one -> one.type().equals("message.delta"))
                    .map(LiveReplyTest::data)
                    .toList();
            assertThat(deltas).isNotEmpty().allMatch(one -> one.get("message_id")
                    .equals(reply.get("id")));
            assertThat(text(deltas)).isEqualTo(reply.get("content").asText());
            assertThat(stream.received()).noneMatch(one -> one.type().contains("delta"));
        }
    }

    @Test
    void lateReaderGetsTheTextSoFarAsOneDelta() {
        String conversation = tenant.conversation();
        try (SseClient early = follow(conversation)) {
            tenant.send(conversation, "offline:stream 100 of some words").expect(200);
            early.awaitWithDeltas(all -> deltas(all).size() > 2);
            try (SseClient late = follow(conversation)) {
                List<Received> all = late.awaitWithDeltas(found -> reply(found) != null);
                String first = deltas(all).getFirst().get("text").asText();
                assertThat(first.split(" ")).as("words of the first delta").hasSizeGreaterThan(2);
                for (SseClient reader : List.of(early, late)) {
                    List<Received> found = reader.awaitWithDeltas(some -> reply(some) != null);
                    assertThat(text(deltas(found)))
                            .isEqualTo(Objects.requireNonNull(reply(found))
                                    .get("content")
                                    .asText());
                    assertThat(deltas(found).stream()
                                    .map(one -> one.get("index").asInt()))
                            .containsExactlyElementsOf(
                                    IntStream.range(0, deltas(found).size())
                                            .boxed()
                                            .toList());
                }
            }
        }
    }

    @Test
    void stoppedReplyIsReset() {
        String conversation = tenant.conversation();
        try (SseClient stream = follow(conversation)) {
            tenant.send(conversation, "offline:stream 1000 of some words").expect(200);
            stream.awaitWithDeltas(all -> !deltas(all).isEmpty());
            stop(conversation);
            List<Received> all = stream.awaitWithDeltas(
                    found -> found.stream().anyMatch(one -> one.data().contains("SYSTEM")));
            String id = deltas(all).getFirst().get("message_id").asText();
            assertThat(all)
                    .filteredOn(one -> one.type().equals("message.delta_reset"))
                    .extracting(one -> data(one).get("message_id").asText())
                    .containsExactly(id);
        }
    }

    @Test
    void messagesThatWereSentMeanwhileAreListedAfterTheReply() {
        String conversation = tenant.conversation();
        try (SseClient stream = follow(conversation)) {
            tenant.send(conversation, "offline:stream 50").expect(200);
            stream.awaitWithDeltas(all -> !deltas(all).isEmpty());
            tenant.send(conversation, "Second").expect(200);
            stream.awaitWithDeltas(all -> reply(all) != null);
            assertThat(tenant.get("/conversations/" + conversation + "/messages")
                            .expect(200)
                            .json()
                            .findValuesAsText("type")
                            .reversed()
                            .subList(0, 3))
                    .containsExactly("USER_INPUT", "AGENT_RESPONSE", "USER_INPUT");
        }
    }

    @Test
    void repliesOfWaitingMessagesKeepTheOrderOfTheirQuestions() {
        String conversation = tenant.conversation();
        for (String question : List.of("offline:wait 300", "Second", "Third")) {
            tenant.send(conversation, question).expect(200);
        }
        List<String> replies = Tenant.eventually(
                () -> tenant.get("/conversations/" + conversation + "/messages")
                        .expect(200)
                        .json()
                        .valueStream()
                        .filter(one -> one.get("type").asText().equals("AGENT_RESPONSE"))
                        .map(one -> one.get("content").asText())
                        .toList(),
                found -> found.size() == 3);
        assertThat(replies.get(2)).contains("offline:wait");
        assertThat(replies.get(1)).contains("Second");
        assertThat(replies.get(0)).contains("Third");
    }

    @Test
    void longReplyIsStoredBeforeTheNextOneIsWritten() {
        String conversation = tenant.conversation();
        tenant.send(conversation, "offline:wait 300").expect(200);
        tenant.send(conversation, "offline:wait 600000").expect(200);
        Tenant.eventually(
                () -> tenant.get("/conversations/" + conversation + "/messages")
                        .expect(200)
                        .json()
                        .findValuesAsText("type"),
                types -> types.contains("AGENT_RESPONSE"));
        stop(conversation);
    }

    @Test
    void deltasAreNeitherStoredNorSentToWebhooks() throws Exception {
        try (var receiver = new ScriptedServer(ScriptedServer.answering(200, "text/plain", ""))) {
            String conversation = tenant.post(
                            "/conversations", Map.of("config", Map.of("callback_url", receiver.url("/hook"))))
                    .expect(201)
                    .text("/id");
            try (SseClient stream = follow(conversation)) {
                tenant.send(conversation, "Hello").expect(200);
                List<Received> all = stream.awaitWithDeltas(found -> reply(found) != null);
                assertThat(all).anyMatch(one -> one.type().equals("message.delta"));
                Tenant.eventually(receiver::received, found -> found.stream()
                        .anyMatch(one -> one.body().contains("AGENT_RESPONSE")));
                assertThat(receiver.received()).noneMatch(one -> one.body().contains("delta"));
                String first = stream.received().getFirst().id();
                try (SseClient again = SseClient.open(
                        path(conversation) + "?last_event_id=" + first, "Authorization", "Bearer " + tenant.key())) {
                    assertThat(again.awaitWithDeltas(found -> reply(found) != null))
                            .noneMatch(one -> one.type().contains("delta"));
                }
            }
            assertThat(Tenant.bean(Database.class).<List<String>>with(handle -> handle.select(
                                    "SELECT DISTINCT type FROM event WHERE organization_id = ?",
                                    tenant.organization().value())
                            .mapTo(String.class)
                            .list()))
                    .isNotEmpty()
                    .noneMatch(type -> type.contains("delta"));
        }
    }

    @Test
    void tasksOfAnAgentArriveOnTheStreamOfItsConversation() {
        WorkflowId workflow = Workflows.of(tenant).ai("write").publish();
        String conversation = tenant.post(
                        "/conversations",
                        Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow.text())))
                .expect(201)
                .text("/id");
        try (SseClient stream = follow(conversation)) {
            tenant.send(conversation, "Hello").expect(200);
            List<Received> all = stream.awaitWithDeltas(
                    found -> found.stream().anyMatch(one -> one.type().equals("task.delta")));
            JsonNode delta = all.stream()
                    .filter(one -> one.type().equals("task.delta"))
                    .map(LiveReplyTest::data)
                    .findFirst()
                    .orElseThrow();
            assertThat(delta.get("task_id").asText()).isEqualTo("write");
            assertThat(delta.get("attempt").asInt()).isEqualTo(1);
            assertThat(delta.get("index").asInt()).isZero();
            assertThat(delta.get("text").asText()).startsWith("{");
        }
    }

    private SseClient follow(String conversation) {
        SseClient stream = SseClient.open(path(conversation), "Authorization", "Bearer " + tenant.key());
        assertThat(stream.status()).isEqualTo(200);
        return stream;
    }

    private void stop(String conversation) {
        tenant.browser()
                .post("/dashboard/api/organizations/" + tenant.organization() + "/conversations/" + conversation
                        + "/stop")
                .json(Map.of())
                .send()
                .expect(204);
    }

    private static List<JsonNode> deltas(List<Received> all) {
        return all.stream()
                .filter(one -> one.type().equals("message.delta"))
                .map(LiveReplyTest::data)
                .toList();
    }

    private static String path(String conversation) {
        return "/developer/api/conversations/" + conversation + "/events";
    }

    private static String text(List<JsonNode> deltas) {
        return String.join(
                "", deltas.stream().map(one -> one.get("text").asText()).toList());
    }

    private static @Nullable JsonNode reply(List<Received> all) {
        return all.stream()
                .filter(one -> one.type().equals("message.created"))
                .map(LiveReplyTest::data)
                .filter(one -> one.get("type").asText().equals("AGENT_RESPONSE"))
                .findFirst()
                .orElse(null);
    }

    private static JsonNode data(Received one) {
        return StrictJson.readTrusted(one.data(), JsonNode.class).get("data");
    }
}
