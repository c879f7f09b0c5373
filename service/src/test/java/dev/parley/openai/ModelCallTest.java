package dev.parley.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.model.ModelEndpoints;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of models at scripted endpoints. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ModelCallTest {
    private final ModelEndpoints models = new ModelEndpoints();

    @AfterEach
    void close() throws IOException {
        models.close();
    }

    private Api.Answer chat(String model, String text, boolean isStreamed) {
        return new Api()
                .post("/v1/chat/completions")
                .key(models.tenant.key())
                .json(Map.of("model", model, "stream", isStreamed, "messages", List.of(OpenAiCase.user(text))))
                .send();
    }

    /** More than all bodies together may take while they are read, and no more than its share. */
    @Test
    void anOrganizationsRequestsThatWaitTakeItsShareOfMemoryOnly() throws Exception {
        var end = new CountDownLatch(1);
        var arrived = new AtomicInteger();
        var _ = models.add(
                "slow",
                (request, out) -> {
                    arrived.incrementAndGet();
                    assertThat(end.await(2, TimeUnit.MINUTES)).isTrue();
                    ModelEndpoints.saying("ok").answer(request, out);
                },
                Map.of());
        String text = "x".repeat(2 << 20);
        int fitting = CompletionService.MAX_WAITING_KB / 2 / (text.length() / 1024 + 1);

        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Api.Answer>> held = IntStream.range(0, fitting)
                    .mapToObj(_ -> executor.submit(() -> chat("slow", text, false)))
                    .toList();
            Tenant.eventually(arrived::get, count -> count == fitting);
            for (boolean isStreamed : new boolean[] {false, true}) {
                Api.Answer refused = chat("slow", text, isStreamed).expect(429);
                assertThat(refused.header("Retry-After")).isEqualTo("1");
                assertThat(refused.text("/error/message")).contains("large requests");
            }
            chat("default", "Hello", false).expect(200);
            end.countDown();
            for (Future<Api.Answer> answer : held) {
                answer.get().expect(200);
            }
        }
        chat("slow", text, false).expect(200);
    }

    @Test
    void requestsOfUndeclaredLengthCountAsLongAsTheyAre() throws Exception {
        int requests = 8;
        var arrived = new CountDownLatch(requests);
        var _ = models.add(
                "patient",
                (request, out) -> {
                    arrived.countDown();
                    assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();
                    ModelEndpoints.saying("ok").answer(request, out);
                },
                Map.of());
        byte[] body = "{\"model\": \"patient\", \"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}]}"
                .getBytes(StandardCharsets.UTF_8);
        HttpRequest chunked = HttpRequest.newBuilder(URI.create(new Api().base() + "/v1/chat/completions"))
                .header("Authorization", "Bearer " + models.tenant.key())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                .build();
        try (HttpClient client = HttpClient.newHttpClient();
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> statuses = IntStream.range(0, requests)
                    .mapToObj(_ -> executor.submit(() -> client.send(chunked, HttpResponse.BodyHandlers.discarding())
                            .statusCode()))
                    .toList();
            for (Future<Integer> status : statuses) {
                assertThat(status.get()).isEqualTo(200);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // After a refusal that names no reason, the model would be asked once more, for a whole reply.
                "data: {\"error\": {\"message\": \"the image is broken\", \"code\": 400}}\n\n",
                "data: {\"error\": {\"message\": \"overloaded\", \"code\": 503}}\n\n",
                "",
                "data: {\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"content_filter\"}],"
                        + " \"usage\": {\"prompt_tokens\": 11, \"completion_tokens\": 300}}\n\ndata: [DONE]\n\n"
            })
    void aStreamThatFailsCountsWhatHasArrived(String end) throws Exception {
        var _ = models.add(
                "broken",
                (_, out) -> {
                    String events = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
                    for (String text : List.of("Hello", "x".repeat(900))) {
                        events +=
                                "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"" + text + "\"}}]}\n\n";
                    }
                    out.write((events + end).getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    throw new IOException("The stream ends.");
                },
                Map.of());
        String budgets = models.path + "/budgets";
        Map<String, Object> budget =
                Map.of("scope", "ORGANIZATION", "period", "DAY", "unit", "TOKENS", "limit", 1_000_000);
        int id = models.owner
                .post(budgets)
                .json(budget)
                .send()
                .expect(201)
                .json()
                .at("/id")
                .asInt();

        assertThat(chat("broken", "Hello", true).body()).contains("x".repeat(900), "error");

        long used = models.owner
                .get(budgets + "/" + id)
                .send()
                .expect(200)
                .json()
                .at("/used")
                .asLong();
        // A transient failure is repeated before the client gets the error.
        long atMost = end.contains("usage") ? 311 : end.contains("400") ? 400 : 1_600;
        assertThat(used).isBetween(300L, atMost);
    }
}
