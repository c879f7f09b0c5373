package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.ScriptedServer;
import dev.parley.event.SseClient;
import dev.parley.event.SseClient.Received;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes of the built service: the text of a reply on both, and the death of the node that writes it. */
@Tag("chaos")
@Tag("all")
class LiveTextAcrossNodesTest {
    private static final Duration BAR = Duration.ofMillis(100);

    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile long firstToken;
    private ChaosTenant tenant;

    @Test
    void readersOfBothNodesSeeTheTextAndAResetWhenItsNodeDies() throws Exception {
        try (var model = new ScriptedServer(this::answer);
                Cluster cluster = Cluster.start(
                        ChaosOptions.shortForm(1),
                        Map.of("PARLEY_LLM_BASE_URL", model.url("/v1"), "PARLEY_LLM_MODEL", "streamed"))) {
            ChaosNode writer = cluster.nodes().get(0);
            ChaosNode other = cluster.nodes().get(1);
            tenant = ChaosTenant.create(new ChaosClient(List.of(writer), new Random(1), Map.of()));
            List<Duration> delays = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                delays.add(firstDelta(writer));
            }
            Collections.sort(delays);
            assertThat(delays.get(delays.size() / 2))
                    .as("from the model's first token to the first delta, of " + delays)
                    .isLessThan(BAR);
            calls.set(-1);
            String conversation = conversation(writer);
            try (SseClient early = follow(other, conversation)) {
                send(writer, conversation);
                early.awaitWithDeltas(all -> text(all).equals("One two "));
                try (SseClient late = follow(other, conversation);
                        SseClient same = follow(writer, conversation)) {
                    for (SseClient reader : List.of(late, same)) {
                        List<Received> all =
                                reader.awaitWithDeltas(found -> text(found).equals("One two "));
                        assertThat(all.stream().filter(one -> one.type().equals("message.delta")))
                                .hasSize(1);
                    }
                }
                writer.kill();
                goOn.countDown();
                List<Received> all = early.awaitWithDeltas(
                        found -> found.stream().anyMatch(one -> one.data().contains("AGENT_RESPONSE")));
                List<String> ids = all.stream()
                        .filter(one -> one.type().startsWith("message.delta"))
                        .map(one ->
                                one.type() + " " + data(one).get("message_id").asText())
                        .distinct()
                        .toList();
                assertThat(ids).hasSize(3);
                assertThat(ids.get(1)).isEqualTo(ids.getFirst().replace("delta", "delta_reset"));
                JsonNode reply = all.stream()
                        .filter(one -> one.data().contains("AGENT_RESPONSE"))
                        .map(LiveTextAcrossNodesTest::data)
                        .findFirst()
                        .orElseThrow();
                assertThat(ids.get(2))
                        .isEqualTo("message.delta " + reply.get("id").asText());
                assertThat(text(all.subList(
                                all.indexOf(all.stream()
                                        .filter(one -> one.type().equals("message.delta_reset"))
                                        .findFirst()
                                        .orElseThrow()),
                                all.size())))
                        .isEqualTo(reply.get("content").asText())
                        .isEqualTo("One two three");
            }
            cluster.stopAndForget();
        }
    }

    /** The time from the model's first token to the first delta. */
    private Duration firstDelta(ChaosNode node) throws InterruptedException {
        String conversation = conversation(node);
        try (SseClient reader = follow(node, conversation)) {
            send(node, conversation);
            reader.awaitWithDeltas(
                    all -> all.stream().anyMatch(one -> one.type().equals("message.delta")));
            return Duration.ofNanos(System.nanoTime() - firstToken);
        }
    }

    /** Streams a reply; the one of the call 0 stops until the node was killed. */
    private void answer(ScriptedServer.Received request, OutputStream out) throws IOException, InterruptedException {
        int call = calls.incrementAndGet();
        assertThat(request.body()).contains("\"stream\":true");
        write(out, """
                HTTP/1.1 200 OK\r
                Content-Type: text/event-stream\r
                Connection: close\r
                \r
                """);
        firstToken = System.nanoTime();
        write(out, chunk("{\"role\":\"assistant\",\"content\":\"One \"}", "null"));
        write(out, chunk("{\"content\":\"two \"}", "null"));
        if (call == 0) {
            goOn.await();
        }
        write(out, chunk("{\"content\":\"three\"}", "null"));
        write(out, chunk("{}", "\"stop\""));
        write(out, "data: [DONE]\n\n");
        out.close();
    }

    private static String chunk(String delta, String finish) {
        return "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"streamed\","
                + "\"choices\":[{\"index\":0,\"delta\":" + delta + ",\"finish_reason\":" + finish + "}]}\n\n";
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
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
                        Map.of("conversation_id", conversation, "content_type", "text", "content", "Count"))
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
