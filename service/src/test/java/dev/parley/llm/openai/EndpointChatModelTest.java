package dev.parley.llm.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelContract;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTurn;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real client against a server with OpenAI's wire format, valid and invalid. */
class EndpointChatModelTest extends ChatModelContract {
    private static final String KEY = "sk-secret-1234567890";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Duration> slept = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : open.reversed()) {
            resource.close();
        }
    }

    private ScriptedServer server(ScriptedServer.Script script) throws IOException {
        ScriptedServer server = new ScriptedServer(script);
        open.add(server);
        return server;
    }

    private ChatModel model(ScriptedServer server, Duration timeout) {
        EndpointChatModel model = new EndpointChatModel(
                server.url("/v1"), KEY, "test-model", timeout, new EgressRules(EgressAllow.none()), slept::add);
        open.add(model);
        return model;
    }

    private ChatModel model(ScriptedServer.Script script) throws IOException {
        return model(server(script), LONG);
    }

    private static String completion(String content, String finishReason) throws IOException {
        return """
                {"id": "c-1", "object": "chat.completion", "created": 1700000000, "model": "test-model-2026",
                 "choices": [{"index": 0, "message": {"role": "assistant", "content": %s}, "finish_reason": %s}],
                 "usage": {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17}}
                """.formatted(
                        JSON.writeValueAsString(content),
                        finishReason.equals("null") ? "null" : JSON.writeValueAsString(finishReason));
    }

    private static void json(OutputStream out, String body) throws IOException {
        ScriptedServer.write(out, 200, "application/json", body);
    }

    private static void error(OutputStream out, int status, String code, String... headers) throws IOException {
        ScriptedServer.write(
                out,
                status,
                "application/json",
                "{\"error\": {\"message\": \"Incorrect key " + KEY + " at https://user:pw@host\", \"code\": \"" + code
                        + "\"}}",
                headers);
    }

    @Override
    protected ChatModel answering() throws IOException {
        return model((request, out) -> {
            JsonNode body = JSON.readTree(request.body());
            JsonNode messages = body.path("messages");
            String last = messages.path(messages.size() - 1).path("content").asText();
            if (last.equals(failing())) {
                error(out, 400, "invalid_value");
            } else if (last.equals(unavailable())) {
                error(out, 500, "server_error");
            } else if (last.equals(slow())) {
                new CountDownLatch(1).await(20, TimeUnit.SECONDS);
            } else if (body.path("response_format").path("type").asText().equals("json_schema")) {
                json(out, completion("""
                                {"summary": "An invoice", "count": 1, "total": 119.50, "approved": true,
                                 "due": "2026-03-01T00:00:00Z"}""", "stop"));
            } else {
                json(out, completion("You said: " + last, "stop"));
            }
        });
    }

    @Override
    protected String failing() {
        return "fail";
    }

    @Override
    protected String unavailable() {
        return "unavailable";
    }

    @Override
    protected String slow() {
        return "slow";
    }

    private static ChatModelException fault(ChatModel model, ChatRequest request) {
        ChatModelException fault = catchThrowableOfType(ChatModelException.class, () -> model.reply(request));
        assertThat(fault).as("a fault").isNotNull();
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            assertThat(String.valueOf(cause)).doesNotContain(KEY).doesNotContain("user:pw");
        }
        assertThat(fault.detail()).endsWith(".").doesNotContain("127.0.0.1").doesNotContain("Exception");
        return fault;
    }

    @Test
    void theRequestSpeaksOpenAisFormat() throws Exception {
        ScriptedServer server = server((request, out) -> json(out, completion("{\"a\": 1}", "stop")));
        Map<String, Object> schema = Map.of(
                "type",
                "object",
                "properties",
                Map.of("a", Map.of("type", "object", "properties", Map.of("b", Map.of("type", "string")))));
        ChatReply reply = model(server, LONG)
                .reply(ChatRequest.text(
                                "Be brief.",
                                List.of(ChatTurn.user("hi"), ChatTurn.assistant("yes?"), ChatTurn.user("go")),
                                LONG)
                        .withInputs(Map.of("n", 3))
                        .withSchema(schema));
        assertThat(reply).isEqualTo(new ChatReply("{\"a\": 1}", 12, 5, "test-model-2026", ChatReply.ReplyFinish.STOP));
        ScriptedServer.Received request = server.received().getFirst();
        assertThat(request.line()).isEqualTo("POST /v1/chat/completions HTTP/1.1");
        assertThat(request.header("Authorization")).isEqualTo("Bearer " + KEY);
        JsonNode body = JSON.readTree(request.body());
        assertThat(body.path("model").asText()).isEqualTo("test-model");
        assertThat(body.path("messages").findValuesAsText("role"))
                .containsExactly("system", "user", "assistant", "user");
        assertThat(body.path("messages").path(3).path("content").asText())
                .startsWith("go\n\n")
                .contains("{\"n\":3}");
        JsonNode format = body.path("response_format").path("json_schema");
        assertThat(format.path("strict").asBoolean()).isTrue();
        JsonNode inner = format.path("schema").path("properties").path("a");
        assertThat(inner.path("additionalProperties").asText()).isEqualTo("false");
        assertThat(inner.path("required").toString()).isEqualTo("[\"b\"]");
        assertThat(format.path("schema").path("required").toString()).isEqualTo("[\"a\"]");
    }

    @Test
    void filesAreSentWithTheirTurn() throws Exception {
        ScriptedServer server = server((request, out) -> json(out, completion("a dot", "stop")));
        ChatTurn picture = ChatTurn.user("What is this?")
                .withFiles(List.of(ChatFile.image("dot.png", "image/png", new byte[] {1, 2, 3})));
        ChatTurn others = ChatTurn.user("And these?")
                .withFiles(List.of(
                        ChatFile.text("t.csv", "text/csv", "a,b"),
                        ChatFile.unread("clip.mp4", "video/mp4", "Files of this type cannot be read.")));
        var _ = model(server, LONG)
                .reply(ChatRequest.text("", List.of(picture, ChatTurn.assistant("A dot."), others), LONG));
        JsonNode messages = JSON.readTree(server.received().getFirst().body()).path("messages");
        assertThat(messages.findValuesAsText("role")).containsExactly("user", "assistant", "user");
        assertThat(messages.at("/0/content/0/text").asText()).isEqualTo("What is this?");
        assertThat(messages.at("/0/content/2/image_url/url").asText()).isEqualTo("data:image/png;base64,AQID");
        assertThat(messages.at("/2/content").asText())
                .startsWith("And these?\n\n")
                .contains("t.csv", "a,b")
                .endsWith("\n\nFile 'clip.mp4' (video/mp4) was not read: Files of this type cannot be read.");
    }

    @Test
    void sendsNoAuthorizationWithoutAKey() throws Exception {
        ScriptedServer server = server((request, out) -> json(out, completion("hello", "stop")));
        try (EndpointChatModel model =
                new EndpointChatModel(server.url("/v1/"), "", "m", LONG, new EgressRules(EgressAllow.none()))) {
            assertThat(model.reply(saying("hi")).text()).isEqualTo("hello");
        }
        assertThat(server.received().getFirst().header("Authorization")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>Bad gateway</html>",
                "{\"choices\": [{\"message\": {\"content\": \"cut",
                "{}",
                "[]",
                "null",
                "\"text\"",
                "{\"choices\": []}",
                "{\"choices\": [{}]}",
                "{\"choices\": [null]}",
                "{\"choices\": \"no\"}",
                "{\"choices\": [{\"message\": {\"content\": null}, \"finish_reason\": \"stop\"}]}",
                "{\"choices\": [{\"message\": {\"content\": \" \"}, \"finish_reason\": \"stop\"}]}",
                "{\"choices\": [{\"message\": {\"content\": \"half an ans\"}, \"finish_reason\": null}]}",
                "{\"choices\": [{\"message\": {\"content\": \"half an ans\"}}]}",
            })
    void anInvalidResponseIsRetriedThenTransient(String body) throws Exception {
        ScriptedServer server = server((request, out) -> json(out, body));
        assertThat(fault(model(server, LONG), saying("hi")).isTransient()).isTrue();
        assertThat(server.received()).hasSize(1 + ModelRetries.RETRIES);
        assertThat(slept).hasSize(ModelRetries.RETRIES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"not json | stop", "'' | stop", "```json {}``` | stop", "{\"a\": | length"})
    void aStructuredAnswerIsReturnedUnchecked(String content, String reason) throws Exception {
        ScriptedServer server = server((request, out) -> json(out, completion(content, reason)));
        ChatReply reply = model(server, LONG).reply(saying("hi").withSchema(schema()));
        assertThat(reply.text()).isEqualTo(content);
        assertThat(reply.finish().name()).isEqualToIgnoringCase(reason);
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void theUsageOfARejectedAnswerIsReported() throws Exception {
        ChatModel model = model((request, out) -> json(out, completion(" ", "stop")));
        ChatReply refused = fault(model, saying("hi").once()).answered().orElseThrow();
        assertThat(refused.text()).isEqualTo(" ");
        assertThat(refused.completionTokens()).isEqualTo(5);
        assertThat(fault(model, saying("hi")).answered().orElseThrow().completionTokens())
                .as("over all tries")
                .isEqualTo(5L * (1 + ModelRetries.RETRIES));
    }

    @Test
    void aCutTextIsMarked() throws Exception {
        ChatModel model = model((request, out) -> json(out, completion("half an ans", "length")));
        assertThat(model.reply(saying("hi")).finish()).isEqualTo(ChatReply.ReplyFinish.LENGTH);
    }

    @Test
    void aFilteredAnswerIsAPermanentFault() throws Exception {
        ScriptedServer server = server((request, out) -> json(out, completion("", "content_filter")));
        assertThat(fault(model(server, LONG), saying("hi")).isTransient()).isFalse();
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void aRefusalIsAPermanentFault() throws Exception {
        ScriptedServer server = server(
                (request, out) -> json(
                        out,
                        "{\"choices\": [{\"message\": {\"content\": null, \"refusal\": \"I can not.\"}, \"finish_reason\": \"stop\"}]}"));
        assertThat(fault(model(server, LONG), saying("hi")).isTransient()).isFalse();
        assertThat(server.received()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "301, x, false",
        "400, context_length_exceeded, false",
        "401, invalid_api_key, false",
        "403, x, false",
        "404, model_not_found, false",
        "408, x, true",
        "413, x, false",
        "422, x, false",
        "429, rate_limit_exceeded, true",
        "429, insufficient_quota, false",
        "500, x, true",
        "502, x, true",
        "503, x, true",
        "504, x, true",
        "529, x, true"
    })
    void theStatusDecidesAboutRetries(int status, String code, boolean transientFault) throws Exception {
        ScriptedServer server = server((request, out) -> error(out, status, code));
        ChatModelException fault = fault(model(server, LONG), saying("hi"));
        assertThat(fault.isTransient()).isEqualTo(transientFault);
        assertThat(fault.detail()).contains("(status " + status + ", " + code + ")");
        assertThat(server.received())
                .as("a refusal without a reason may mean streaming")
                .hasSize(transientFault ? 1 + ModelRetries.RETRIES : status == 422 ? 2 : 1);
    }

    @Test
    void aFailingServiceIsRetriedWithBackoff() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ChatModel model = model((request, out) -> {
            if (asked.getAndIncrement() < 3) {
                error(out, 500, "server_error");
            } else {
                json(out, completion("at last", "stop"));
            }
        });
        assertThat(model.reply(saying("hi")).text()).isEqualTo("at last");
        assertThat(slept).hasSize(3);
        assertThat(slept.get(0)).isBetween(Duration.ofMillis(250), Duration.ofMillis(500));
        assertThat(slept.get(1)).isBetween(Duration.ofMillis(500), Duration.ofMillis(1000));
        assertThat(slept.get(2)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    @Test
    void retryAfterInSecondsIsHonoured() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ChatModel model = model((request, out) -> {
            if (asked.getAndIncrement() == 0) {
                error(out, 429, "rate_limit_exceeded", "Retry-After: 7");
            } else {
                json(out, completion("now", "stop"));
            }
        });
        assertThat(model.reply(saying("hi")).text()).isEqualTo("now");
        assertThat(slept).containsExactly(Duration.ofSeconds(7));
    }

    @Test
    void retryAfterAsADateIsHonoured() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ChatModel model = model((request, out) -> {
            if (asked.getAndIncrement() == 0) {
                String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(10));
                error(out, 503, "x", "Retry-After: " + date);
            } else {
                json(out, completion("now", "stop"));
            }
        });
        assertThat(model.reply(saying("hi")).text()).isEqualTo("now");
        assertThat(slept).singleElement().satisfies(wait -> assertThat(wait)
                .isBetween(Duration.ofSeconds(7), Duration.ofSeconds(10)));
    }

    @Test
    void aLongRetryAfterIsNotAwaited() throws Exception {
        ScriptedServer server = server((request, out) -> error(out, 429, "x", "Retry-After: 3600"));
        ChatModelException fault = fault(model(server, LONG), saying("hi"));
        assertThat(fault.retryAfter()).hasValue(Duration.ofHours(1));
        assertThat(fault.isTransient()).isTrue();
        assertThat(server.received()).hasSize(1);
        assertThat(slept).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nContent-Type: application/json\r\n\r\n{\"choices\": [",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"cho\r\n"
            })
    void aDroppedConnectionIsTriedAgain(String bytes) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ChatModel model = model((request, out) -> {
            if (asked.getAndIncrement() < 2) {
                out.write(bytes.getBytes(UTF_8));
                out.flush();
                throw new IOException("cut");
            }
            json(out, completion("here again", "stop"));
        });
        assertThat(model.reply(saying("hi")).text()).isEqualTo("here again");
        assertThat(slept).hasSize(2);
    }

    @Test
    void aSlowDripIsCutByTheTimeLimitOfATryAndTriedAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ScriptedServer server = server((request, out) -> {
            if (asked.getAndIncrement() == 0) {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".getBytes(UTF_8));
                CountDownLatch never = new CountDownLatch(1);
                for (int i = 0; i < 1000 && !never.await(20, TimeUnit.MILLISECONDS); i++) {
                    out.write(' ');
                    out.flush();
                }
            }
            json(out, completion("quick", "stop"));
        });
        assertThat(model(server, Duration.ofMillis(400)).reply(saying("hi")).text())
                .isEqualTo("quick");
    }

    @Test
    void aHugeAnswerIsAPermanentFault() throws Exception {
        ScriptedServer server = server((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(UTF_8));
            byte[] much = new byte[64 * 1024];
            for (int i = 0; i < 200; i++) {
                out.write(much);
            }
            throw new IOException("end");
        });
        ChatModelException fault = fault(model(server, LONG), saying("hi"));
        assertThat(fault.isTransient()).isFalse();
        assertThat(fault.detail()).contains("too large");
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void anUnreachableServiceIsATransientFailure() throws Exception {
        ScriptedServer server = server((request, out) -> json(out, "{}"));
        server.close();
        assertThat(fault(model(server, LONG), saying("hi")).isTransient()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "api.example", "ftp://api.example/v1", "http://user:secret@api.example/v1"})
    void anInvalidBaseUrlIsNamed(String url) {
        assertThatThrownBy(() -> new EndpointChatModel(url, KEY, "m", LONG, new EgressRules(EgressAllow.none())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("PARLEY_LLM_BASE_URL: ")
                .message()
                .doesNotContain("secret");
    }
}
