package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.event.SseClient;
import dev.parley.event.SseClient.Received;
import dev.parley.http.json.StrictJson;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes of the built service: the text of a reply on both, and the death of the node that writes it. */
@Tag("chaos")
@Tag("all")
class LiveTextAcrossNodesTest {
    private static final String QUESTION = "offline:stream 250 of one two three four five six seven";

    private ChaosTenant tenant;

    @Test
    void readersOfBothNodesSeeTheTextAndAResetWhenItsNodeDies() throws Exception {
        try (Cluster cluster = Cluster.start(ChaosOptions.shortForm(1))) {
            ChaosNode writer = cluster.nodes().get(0);
            ChaosNode other = cluster.nodes().get(1);
            tenant = ChaosTenant.create(new ChaosClient(List.of(writer), new Random(1), Map.of()));
            String conversation = conversation(writer);
            try (SseClient early = follow(other, conversation)) {
                send(writer, conversation);
                early.awaitWithDeltas(all -> text(all).split(" ").length > 3);
                try (SseClient late = follow(other, conversation);
                        SseClient same = follow(writer, conversation)) {
                    for (SseClient reader : List.of(late, same)) {
                        List<Received> all =
                                reader.awaitWithDeltas(found -> !text(found).isEmpty());
                        assertThat(data(all.getFirst()).get("text").asText().split(" "))
                                .as("words of the first delta")
                                .hasSizeGreaterThan(3);
                    }
                }
                writer.kill();
                List<Received> all = early.awaitWithDeltas(
                        found -> found.stream().anyMatch(one -> one.data().contains("AGENT_RESPONSE")));
                List<String> ids = all.stream()
                        .filter(one -> one.type().startsWith("message.delta"))
                        .map(one ->
                                one.type() + " " + data(one).get("message_id").asText())
                        .distinct()
                        .toList();
                JsonNode reply = all.stream()
                        .filter(one -> one.data().contains("AGENT_RESPONSE"))
                        .map(LiveTextAcrossNodesTest::data)
                        .findFirst()
                        .orElseThrow();
                assertThat(ids)
                        .containsExactly(
                                ids.getFirst(),
                                ids.getFirst().replace("delta", "delta_reset"),
                                "message.delta " + reply.get("id").asText());
                assertThat(text(all.stream()
                                .dropWhile(one -> !one.type().equals("message.delta_reset"))
                                .toList()))
                        .isEqualTo(reply.get("content").asText());
            }
            cluster.stopAndForget();
        }
    }

    private String conversation(ChaosNode node) throws InterruptedException {
        return tenant.api()
                .at(node)
                .once("POST", "/developer/api/conversations", Map.of())
                .orElseThrow()
                .json()
                .get("id")
                .asText();
    }

    private void send(ChaosNode node, String conversation) throws InterruptedException {
        var _ = tenant.api()
                .at(node)
                .once(
                        "POST",
                        "/developer/api/messages",
                        Map.of("conversation_id", conversation, "content_type", "text", "content", QUESTION))
                .orElseThrow();
    }

    private SseClient follow(ChaosNode node, String conversation) {
        SseClient stream = SseClient.open(
                node.at("/"),
                "/developer/api/conversations/" + conversation + "/events",
                "Authorization",
                tenant.api().header("Authorization"));
        assertThat(stream.status()).isEqualTo(200);
        return stream;
    }

    private static String text(List<Received> all) {
        return String.join(
                "",
                all.stream()
                        .filter(one -> one.type().equals("message.delta"))
                        .map(one -> data(one).get("text").asText())
                        .toList());
    }

    private static JsonNode data(Received one) {
        return StrictJson.readTrusted(one.data(), JsonNode.class).get("data");
    }
}
