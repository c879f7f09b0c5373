package dev.parley.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.http.json.StrictJson;
import dev.parley.model.ModelEndpoints;
import dev.parley.workflow.instance.Workflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a workflow's answer in streams, while a model writes it. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class WorkflowStreamTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String RESPONSES = "/v1/responses";

    private final ModelEndpoints models = new ModelEndpoints();

    /** Opened by the client when it has read the first text. */
    private final CountDownLatch read = new CountDownLatch(1);

    @AfterEach
    void close() throws IOException {
        models.close();
    }

    /** An endpoint that writes the first answer in two parts, the second one after the client has read the first. */
    private String workflow(List<Map<String, Object>> outputs, String first, String second, String... later)
            throws IOException {
        var calls = new AtomicInteger();
        var _ = models.add(
                "slow",
                (_, out) -> {
                    int call = calls.getAndIncrement();
                    send(out, "");
                    text(out, call == 0 ? first : later[call - 1]);
                    if (call == 0) {
                        assertThat(read.await(1, TimeUnit.MINUTES)).isTrue();
                        text(out, second);
                    }
                    send(out, "data: {\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"stop\"}]}\n\n");
                    send(out, "data: [DONE]\n\n");
                    throw new IOException("The answer is complete.");
                },
                Map.of());
        return OpenAiCase.model(Workflows.of(models.tenant)
                .task(
                        "answer",
                        Map.of(
                                "kind",
                                "AI",
                                "model",
                                "slow",
                                "input_parameters",
                                List.of(Workflows.input("human_msg", "STRING", "system_generated", true)),
                                "expected_output",
                                outputs))
                .publish());
    }

    private String workflow(String first, String second, String... later) throws IOException {
        return workflow(List.of(Workflows.output("answer", "STRING")), first, second, later);
    }

    private static void send(OutputStream out, String data) throws IOException {
        String head = data.isEmpty() ? "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" : data;
        out.write(head.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static void text(OutputStream out, String text) throws IOException {
        send(
                out,
                "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": " + StrictJson.write(text) + "}}]}\n\n");
    }

    /** Streams an answer, lets the endpoint go on after the first text, and returns the events. */
    private List<JsonNode> stream(String path, String model) throws Exception {
        List<JsonNode> events = new ArrayList<>();
        Map<String, Object> body = path.equals(CHAT)
                ? Map.of("model", model, "stream", true, "messages", List.of(OpenAiCase.user("Hello")))
                : Map.of("model", model, "stream", true, "input", "Hello");
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<Stream<String>> response = client.send(
                    HttpRequest.newBuilder(URI.create(new Api().base().replaceAll("/$", "") + path))
                            .header("Authorization", "Bearer " + models.tenant.key())
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(StrictJson.write(body)))
                            .build(),
                    HttpResponse.BodyHandlers.ofLines());
            assertThat(response.statusCode()).isEqualTo(200);
            for (Iterator<String> lines = response.body().iterator(); lines.hasNext(); ) {
                String line = lines.next();
                if (line.startsWith("data: {")) {
                    events.add(StrictJson.mapper().readTree(line.substring("data: ".length())));
                }
                if (!text(events).isEmpty()) {
                    read.countDown();
                }
            }
        }
        return events;
    }

    private static String text(List<JsonNode> events) {
        var text = new StringBuilder();
        for (JsonNode event : events) {
            text.append(event.at("/choices/0/delta/content").asText());
            text.append(event.at("/delta").isTextual() ? event.at("/delta").asText() : "");
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {CHAT, RESPONSES})
    void textArrivesWhileTheModelWritesIt(String path) throws Exception {
        List<JsonNode> events =
                stream(path, workflow("{\"answer\": \"Gr\\u00fc\\n\\\"", "\uD83D\uDE00\\ud83d\\ude00, world\"}"));

        assertThat(text(events)).isEqualTo("Grü\n\"\uD83D\uDE00\uD83D\uDE00, world");
        if (path.equals(CHAT)) {
            assertThat(events.getLast().at("/choices/0/finish_reason").asText()).isEqualTo("stop");
        } else {
            assertThat(events.getLast().at("/type").asText()).isEqualTo("response.completed");
            assertThat(events.getLast().at("/response/output/0/content/0/text").asText())
                    .isEqualTo(text(events));
        }
    }

    @Test
    void anotherAnswerContinuesTheTextThatWasSent() throws Exception {
        String model = workflow("{\"answer\": \"Hello", "", "{\"answer\": \"Hello, world\"}");

        assertThat(text(stream(CHAT, model))).isEqualTo("Hello, world");
    }

    @ParameterizedTest
    @ValueSource(strings = {CHAT, RESPONSES})
    void anotherAnswerThatDiffersEndsTheStreamWithAnError(String path) throws Exception {
        List<JsonNode> events = stream(path, workflow("{\"answer\": \"Hello", "", "{\"answer\": \"Good morning\"}"));

        assertThat(text(events)).isEqualTo("Hello");
        if (path.equals(CHAT)) {
            assertThat(events.getLast().at("/error/code").asText()).isEqualTo("answer_failed");
            return;
        }
        assertThat(events.getLast().at("/type").asText()).isEqualTo("response.failed");
        String id = events.getLast().at("/response/id").asText();
        JsonNode stored = new Api()
                .get(RESPONSES + "/" + id)
                .key(models.tenant.key())
                .send()
                .expect(200)
                .json();
        assertThat(stored.at("/output/0/content/0/text").asText()).isEqualTo("Good morning");
    }

    @Test
    void severalOutputsAreSentAtTheEnd() throws Exception {
        List<Map<String, Object>> outputs =
                List.of(Workflows.output("answer", "STRING"), Workflows.output("mood", "STRING"));
        String model = workflow(outputs, "{\"answer\": \"Hello\", ", "\"mood\": \"good\"}");
        read.countDown();

        assertThat(text(stream(CHAT, model))).isEqualTo("answer: Hello\nmood: good");
    }

    @Test
    void aLongAnswerIsWhole() throws Exception {
        String rest = "x".repeat(60_000);

        assertThat(text(stream(CHAT, workflow("{\"answer\": \"x", rest + "\"}"))))
                .isEqualTo("x" + rest);
    }

    @Test
    void aFailureAfterTheFirstTextIsAnErrorEvent() throws Exception {
        List<JsonNode> events = stream(CHAT, workflow("{\"answer\": \"Hel", "", "no", "JSON"));

        assertThat(text(events)).isEqualTo("Hel");
        assertThat(events.getLast().at("/error/message").asText()).isNotEmpty();
    }
}
