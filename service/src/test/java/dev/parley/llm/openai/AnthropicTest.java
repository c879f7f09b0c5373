package dev.parley.llm.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRequest.Header;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelContract;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatOptions;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatReply.ReplyFinish;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTool;
import dev.parley.llm.ChatTurn;
import dev.parley.llm.openai.StreamedEndpoint.RecordedText;
import dev.parley.llm.protocol.ModelEndpoint;
import dev.parley.llm.protocol.ModelEndpoint.EndpointKind;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Anthropic's Messages API, and endpoints that have it. */
class AnthropicTest extends ChatModelContract {
    private static final String KEY = "sk-ant-secret";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String START =
            "{\"type\": \"message_start\", \"message\": {\"id\": \"msg_1\", \"type\": \"message\","
                    + " \"role\": \"assistant\", \"model\": \"claude-2026\", \"content\": [], \"stop_reason\": null, \"usage\":"
                    + " {\"input_tokens\": 10, \"cache_creation_input_tokens\": 20, \"cache_read_input_tokens\": 30, \"output_tokens\": 1}}}";
    private static final String STOP = "{\"type\": \"message_stop\"}";

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Duration> slept = new CopyOnWriteArrayList<>();
    private final List<JsonNode> asked = new CopyOnWriteArrayList<>();
    private final RecordedText heard = new RecordedText();
    private ScriptedServer server;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    private ChatModel model(String path, String version, ScriptedServer.Script script) throws IOException {
        server = new ScriptedServer((request, out) -> {
            asked.add(JSON.readTree(request.body()));
            script.answer(request, out);
        });
        open.add(server);
        var client = EgressClient.forStreams(new EgressRules(EgressAllow.parse("127.0.0.1")));
        open.add(client);
        var endpoint = new ModelEndpoint(
                EndpointKind.ANTHROPIC,
                server.url(path),
                KEY,
                "claude",
                List.of(new Header("anthropic-beta", "x-1")),
                version,
                LONG);
        return new EndpointChatModel(endpoint, client, slept::add);
    }

    private ChatModel model(ScriptedServer.Script script) throws IOException {
        return model("", "", script);
    }

    private ChatModel streaming(String... events) throws IOException {
        return model((_, out) -> stream(out, events));
    }

    private static void stream(OutputStream out, String... events) throws IOException {
        StreamedEndpoint.head(out);
        for (String event : events) {
            StreamedEndpoint.chunk(
                    out, "event: " + JSON.readTree(event).path("type").asText() + "\ndata: " + event + "\n\n");
        }
        StreamedEndpoint.end(out);
    }

    private static String block(int index, String block) {
        return "{\"type\": \"content_block_start\", \"index\": " + index + ", \"content_block\": " + block + "}";
    }

    private static String delta(int index, String type, String member, String value) {
        return "{\"type\": \"content_block_delta\", \"index\": " + index + ", \"delta\": {\"type\": \"" + type
                + "\", \"" + member + "\": " + JSON.valueToTree(value) + "}}";
    }

    private static String end(String reason) {
        return "{\"type\": \"message_delta\", \"delta\": {\"stop_reason\": \"" + reason
                + "\", \"stop_sequence\": null}," + " \"usage\": {\"output_tokens\": 15}}";
    }

    private static String[] text(String... pieces) {
        List<String> events = new ArrayList<>(
                List.of(START, block(0, "{\"type\": \"text\", \"text\": \"\"}"), "{\"type\": \"ping\"}"));
        for (String piece : pieces) {
            events.add(delta(0, "text_delta", "text", piece));
        }
        events.addAll(List.of("{\"type\": \"content_block_stop\", \"index\": 0}", end("end_turn"), STOP));
        return events.toArray(String[]::new);
    }

    private static String[] call(String name, String input) {
        return new String[] {
            START,
            block(0, "{\"type\": \"tool_use\", \"id\": \"toolu_1\", \"name\": \"" + name + "\", \"input\": {}}"),
            delta(0, "input_json_delta", "partial_json", ""),
            delta(0, "input_json_delta", "partial_json", input.substring(0, input.length() / 2)),
            delta(0, "input_json_delta", "partial_json", input.substring(input.length() / 2)),
            "{\"type\": \"content_block_stop\", \"index\": 0}",
            end("tool_use"),
            STOP
        };
    }

    private static void error(OutputStream out, int status, String type, String message, String... headers)
            throws IOException {
        ScriptedServer.write(
                out,
                status,
                "application/json",
                "{\"type\": \"error\", \"error\": {\"type\": \"" + type + "\", \"message\": \"" + message
                        + "\"}, \"request_id\": \"req_1\"}",
                headers);
    }

    @Override
    protected ChatModel answering() throws IOException {
        return model((request, out) -> {
            JsonNode body = JSON.readTree(request.body());
            String last = body.path("messages")
                    .path(body.path("messages").size() - 1)
                    .at("/content/0/text")
                    .asText();
            if (last.equals(failing())) {
                error(out, 400, "invalid_request_error", "Secret");
            } else if (last.equals(unavailable())) {
                error(out, 529, "overloaded_error", "Overloaded");
            } else if (last.equals(slow())) {
                new CountDownLatch(1).await(20, TimeUnit.SECONDS);
            } else if (body.has("tools")) {
                stream(out, call("parley_answer", """
                                {"summary": "An invoice", "count": 1, "total": 119.50, "approved": true,
                                 "due": "2026-03-01T00:00:00Z"}"""));
            } else {
                stream(out, text("You said: ", last));
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
        assertThat(fault).isNotNull();
        assertThat(fault.detail()).endsWith(".").doesNotContain("Secret", KEY);
        return fault;
    }

    private static ChatRequest withTool() {
        return saying("go").withTools(List.of(new ChatTool("look", "Looks.", Map.of())));
    }

    @Test
    void theRequestSpeaksAnthropicsFormat() throws Exception {
        ChatModel model = streaming(text("A ", "dot."));
        ChatTurn picture = ChatTurn.user("What is this?")
                .withFiles(List.of(
                        ChatFile.image("dot.png", "image/png", new byte[] {1, 2, 3}),
                        ChatFile.text("t.csv", "text/csv", "a,b")));
        ChatReply reply = model.reply(
                ChatRequest.text("Be brief.", List.of(ChatTurn.assistant("Welcome."), picture), LONG)
                        .withInputs(Map.of("n", 3))
                        .withOptions(new ChatOptions(1.5, 0.9, 500, null, List.of("END"))),
                heard);
        assertThat(reply)
                .isEqualTo(new ChatReply(
                        "A dot.", 60, 30, 15, 0, "claude-2026", ReplyFinish.STOP, List.of(), Map.of(), 0));
        assertThat(heard.pieces).containsExactly("A ", "dot.");
        ScriptedServer.Received request = server.received().getFirst();
        assertThat(request.line()).isEqualTo("POST /v1/messages HTTP/1.1");
        assertThat(request.header("x-api-key")).isEqualTo(KEY);
        assertThat(request.header("Authorization")).isEmpty();
        assertThat(request.header("anthropic-version")).isEqualTo("2023-06-01");
        assertThat(request.header("anthropic-beta")).isEqualTo("x-1");
        assertThat(asked.getFirst()).isEqualTo(JSON.readTree("""
                {"model": "claude", "max_tokens": 500, "system": "Be brief.", "stream": true, "stop_sequences": ["END"],
                 "temperature": 1.0, "top_p": 0.9, "messages": [
                   {"role": "user", "content": [{"type": "text", "text": "(empty message)"}]},
                   {"role": "assistant", "content": [{"type": "text", "text": "Welcome."}]},
                   {"role": "user", "content": [
                     {"type": "text", "text": "What is this?"},
                     {"type": "text", "text": "File 'dot.png' (image/png):"},
                     {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AQID"}},
                     {"type": "text", "text": "File 't.csv' (text/csv):\\na,b\\n[End of the file 't.csv']"},
                     {"type": "text", "text": "Inputs, as JSON:\\n{\\"n\\":3}"}]}]}"""));
    }

    @ParameterizedTest
    @CsvSource({
        "'', /v1/messages",
        "/, /v1/messages",
        "/v1, /v1/messages",
        "/anthropic, /anthropic/v1/messages",
        "/v1/messages?beta=true, /v1/messages?beta=true",
    })
    void theAddressFitsTheEndpoint(String base, String path) throws Exception {
        ChatModel model = model(base, "2027-01-01", (_, out) -> stream(out, text("x")));
        assertThat(model.reply(saying("hi")).text()).isEqualTo("x");
        assertThat(server.received().getFirst().line()).isEqualTo("POST " + path + " HTTP/1.1");
        assertThat(server.received().getFirst().header("anthropic-version")).isEqualTo("2027-01-01");
    }

    @Test
    void aReplyThatIsNotStreamedIsRead() throws Exception {
        ChatModel model = model(ScriptedServer.answering(200, "application/json", """
                {"type": "message", "model": "m", "content": [{"type": "text", "text": "Hello"}],
                 "stop_reason": "stop_sequence", "usage": {"input_tokens": 3, "output_tokens": 4}}"""));
        assertThat(model.reply(saying("hi"), heard)).isEqualTo(new ChatReply("Hello", 3, 4, "m", ReplyFinish.STOP));
        assertThat(heard.pieces).containsExactly("Hello");
    }

    @Test
    void anInputThatIsTooDeepForAJournalIsNotSentBack() throws Exception {
        String input = "{\"x\": " + "[".repeat(100) + "]".repeat(100) + "}";
        ChatReply reply = streaming(call("look", input)).reply(withTool());
        assertThat(reply.toolCalls().getFirst().arguments()).isEqualTo(input);
        assertThat(JSON.valueToTree(reply.extras()).at("/anthropic_content/0/input"))
                .isEqualTo(JSON.createObjectNode());
    }

    @Test
    void callsAndReasoningAreSentBackWithTheirResults() throws Exception {
        ChatModel model = streaming(
                START,
                block(0, "{\"type\": \"thinking\", \"thinking\": \"\", \"signature\": \"\"}"),
                delta(0, "thinking_delta", "thinking", "Let me "),
                delta(0, "thinking_delta", "thinking", "look."),
                delta(0, "signature_delta", "signature", "c2ln"),
                block(1, "{\"type\": \"redacted_thinking\", \"data\": \"ZGF0\"}"),
                block(2, "{\"type\": \"text\", \"text\": \"\"}"),
                delta(2, "text_delta", "text", "Looking."),
                block(3, "{\"type\": \"tool_use\", \"id\": \"toolu_1\", \"name\": \"look\", \"input\": {}}"),
                delta(3, "input_json_delta", "partial_json", "{\"n\": 12345678901234567890,"),
                delta(3, "input_json_delta", "partial_json", " \"d\": 1.10}"),
                block(4, "{\"type\": \"tool_use\", \"id\": \"toolu_2\", \"name\": \"look\", \"input\": {}}"),
                end("tool_use"),
                STOP);
        ChatReply reply = model.reply(withTool(), heard);
        assertThat(reply.text()).isEqualTo("Looking.");
        assertThat(heard.text).hasToString("Looking.");
        assertThat(reply.toolCalls())
                .extracting(ChatTool.ModelToolCall::arguments)
                .containsExactly("{\"n\":12345678901234567890,\"d\":1.10}", "{}");
        ChatRequest next = withTool().withTurn(ChatTurn.assistant(reply));
        for (ChatTool.ModelToolCall call : reply.toolCalls()) {
            next = next.withTurn(ChatTurn.tool(call, "result of " + call.id()));
        }
        var _ = model.reply(next.withTurn(ChatTurn.user("Go on.")));
        JsonNode messages = asked.getLast().path("messages");
        assertThat(messages.findValuesAsText("role")).containsExactly("user", "assistant", "user");
        assertThat(messages.path(1).path("content")).isEqualTo(JSON.readTree("""
                [{"type": "thinking", "thinking": "Let me look.", "signature": "c2ln"},
                 {"type": "redacted_thinking", "data": "ZGF0"}, {"type": "text", "text": "Looking."},
                 {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"n": 12345678901234567890, "d": 1.1}},
                 {"type": "tool_use", "id": "toolu_2", "name": "look", "input": {}}]"""));
        assertThat(messages.path(2).path("content")).isEqualTo(JSON.readTree("""
                [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "result of toolu_1"},
                 {"type": "tool_result", "tool_use_id": "toolu_2", "content": "result of toolu_2"},
                 {"type": "text", "text": "Go on."}]"""));
        assertThat(asked.getLast().at("/tools/0"))
                .isEqualTo(
                        JSON.readTree(
                                "{\"name\": \"look\", \"description\": \"Looks.\", \"input_schema\": {\"type\": \"object\", \"properties\": {}, \"required\": []}}"));
        assertThat(asked.getLast().has("tool_choice")).isFalse();
    }

    @Test
    void callsOfAnotherEndpointAreTranslated() throws Exception {
        ChatModel model = streaming(text("x"));
        var call = new ChatTool.ModelToolCall("call:1", "look", "{\"a\": 1}", Map.of("extra_content", Map.of()));
        var reply = new ChatReply(
                "Looking.", 1, 0, 1, 0, "m", ReplyFinish.STOP, List.of(call), Map.of("reasoning_content", "Hm."), 0);
        var _ = model.reply(withTool().withTurn(ChatTurn.assistant(reply)).withTurn(ChatTurn.tool(call, "seen")));
        assertThat(asked.getFirst().at("/messages/1/content")).isEqualTo(JSON.readTree("""
                [{"type": "text", "text": "Looking."},
                 {"type": "tool_use", "id": "call_1", "name": "look", "input": {"a": 1}}]"""));
        assertThat(asked.getFirst().at("/messages/2/content/0/tool_use_id").asText())
                .isEqualTo("call_1");
    }

    @Test
    void anAnswerWithASchemaIsTheInputOfATool() throws Exception {
        ChatModel model = streaming(call("parley_answer", "{\"total\": 7}"));
        ChatRequest request = saying("hi").withSchema(ScriptedEndpoint.SCHEMA);
        ChatReply reply = model.reply(request, heard);
        assertThat(reply.text()).isEqualTo("{\"total\": 7}");
        assertThat(heard.resets).isZero();
        assertThat(reply.toolCalls()).isEmpty();
        assertThat(reply.finish()).isEqualTo(ReplyFinish.STOP);
        assertThat(heard.text.toString()).isEqualTo(reply.text());
        assertThat(asked.getFirst().path("tool_choice"))
                .isEqualTo(JSON.readTree("{\"type\": \"tool\", \"name\": \"parley_answer\"}"));
        assertThat(asked.getFirst().at("/tools/0/input_schema/required/0").asText())
                .isEqualTo("total");
        var _ = model.reply(request.withTools(List.of(new ChatTool("look", "d", Map.of()))));
        assertThat(asked.getLast().path("tool_choice")).isEqualTo(JSON.readTree("{\"type\": \"any\"}"));
        assertThat(asked.getLast().path("tools").findValuesAsText("name")).containsExactly("look", "parley_answer");
    }

    @Test
    void anAnswerBesideCallsWaitsForTheirResults() throws Exception {
        ChatModel model = streaming(
                START,
                block(0, "{\"type\": \"tool_use\", \"id\": \"1\", \"name\": \"parley_answer\", \"input\": {}}"),
                block(1, "{\"type\": \"tool_use\", \"id\": \"2\", \"name\": \"look\", \"input\": {\"a\": 1}}"),
                end("tool_use"),
                STOP);
        ChatReply reply = model.reply(withTool().withSchema(ScriptedEndpoint.SCHEMA));
        assertThat(reply.toolCalls()).hasSize(1);
        assertThat(JSON.valueToTree(reply.extras()).toString()).contains("look").doesNotContain("parley_answer");
    }

    @Test
    void aTextInPlaceOfTheToolIsTheAnswer() throws Exception {
        assertThat(streaming(text("{\"total\": 7}"))
                        .reply(saying("hi").withSchema(ScriptedEndpoint.SCHEMA))
                        .text())
                .isEqualTo("{\"total\": 7}");
    }

    @ParameterizedTest
    @CsvSource({
        "tool_choice: Thinking may not be enabled when tool_choice forces tool use., auto",
        "tool_choice 'any' is not supported by this model, auto",
    })
    void theAnswerIsAskedForWhereItCannotBeForced(String message, String choice) throws Exception {
        ChatModel model = model((request, out) -> {
            if (JSON.readTree(request.body()).at("/tool_choice/type").asText().equals("tool")) {
                error(out, 400, "invalid_request_error", message);
            } else {
                stream(out, call("parley_answer", "{\"total\": 7}"));
            }
        });
        ChatRequest request = saying("hi").withSchema(ScriptedEndpoint.SCHEMA);
        var _ = model.reply(request);
        assertThat(model.reply(request).text()).isEqualTo("{\"total\": 7}");
        assertThat(asked).hasSize(3);
        assertThat(asked.getLast().at("/tool_choice/type").asText()).isEqualTo(choice);
        assertThat(asked.getLast().path("system").asText()).contains("Be short.", "parley_answer");
    }

    @Test
    void aChosenToolMustBeCalledWithoutThinking() throws Exception {
        ChatModel model = streaming(text("x"));
        for (String choice : List.of(ChatOptions.ANY_TOOL, "look")) {
            var _ = model.reply(withTool().withOptions(new ChatOptions(null, null, null, "high", List.of(), choice)));
        }
        assertThat(asked.getFirst().path("tool_choice")).isEqualTo(JSON.readTree("{\"type\": \"any\"}"));
        assertThat(asked.getLast().path("tool_choice"))
                .isEqualTo(JSON.readTree("{\"type\": \"tool\", \"name\": \"look\"}"));
        assertThat(asked.getLast().has("thinking")).isFalse();
    }

    @Test
    void reasoningIsAskedForAsTheModelKnowsIt() throws Exception {
        ChatModel model = model((request, out) -> {
            JsonNode body = JSON.readTree(request.body());
            if (body.has("output_config")) {
                error(out, 400, "invalid_request_error", "adaptive thinking is not supported on this model");
            } else if (body.path("max_tokens").asInt() > 8192) {
                error(out, 400, "invalid_request_error", "max_tokens: 16384 > 8192, which is the maximum");
            } else {
                stream(out, text("x"));
            }
        });
        ChatRequest request = saying("hi").withOptions(new ChatOptions(0.5, null, null, "high", List.of()));
        var _ = model.reply(request);
        assertThat(asked.getFirst().path("thinking")).isEqualTo(JSON.readTree("{\"type\": \"adaptive\"}"));
        assertThat(asked.getFirst().at("/output_config/effort").asText()).isEqualTo("high");
        assertThat(asked.getFirst().has("temperature")).isFalse();
        var _ = model.reply(request);
        assertThat(asked).hasSize(4);
        assertThat(asked.getLast().path("thinking"))
                .isEqualTo(JSON.readTree("{\"type\": \"enabled\", \"budget_tokens\": 3276}"));
        assertThat(asked.getLast().path("max_tokens").asInt()).isEqualTo(4096);
    }

    @ParameterizedTest
    @CsvSource({
        "400, invalid_request_error, Secret, false, false",
        "400, invalid_request_error, prompt is too long: 210000 tokens > 200000 maximum, false, true",
        "400, invalid_request_error, input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, false, true",
        "400, invalid_request_error, Your credit balance is too low to access the Anthropic API., false, false",
        "401, authentication_error, Secret, false, false",
        "403, permission_error, Secret, false, false",
        "404, not_found_error, model: claude, false, false",
        "413, request_too_large, Secret, false, true",
        "429, rate_limit_error, Secret, true, false",
        "500, api_error, Secret, true, false",
        "529, overloaded_error, Overloaded, true, false",
    })
    void errorsMeanTheSameBeforeAndWithinAStream(
            int status, String type, String message, boolean isTransient, boolean isOverflow) throws Exception {
        for (ScriptedServer.Script script : List.<ScriptedServer.Script>of(
                (_, out) -> error(out, status, type, message, "retry-after: 7"),
                (_, out) -> stream(
                        out,
                        START,
                        "{\"type\": \"error\", \"error\": {\"type\": \"" + type + "\", \"message\": \"" + message
                                + "\"}}"))) {
            ChatModelException fault = fault(model(script), saying("hi").once());
            assertThat(fault.isTransient()).isEqualTo(isTransient);
            assertThat(fault.isContextOverflow()).isEqualTo(isOverflow);
            assertThat(fault.detail()).contains("status ");
        }
        ChatModelException fault = fault(
                model((_, out) -> error(out, status, type, message, "retry-after: 7")),
                saying("hi").once());
        assertThat(fault.retryAfter()).isEqualTo(isTransient ? Optional.of(Duration.ofSeconds(7)) : Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "max_tokens, LENGTH, ",
        "model_context_window_exceeded, LENGTH, ",
        "stop_sequence, STOP, ",
        "refusal, , false",
        "pause_turn, , true",
        "'', , true",
    })
    void stopReasonsAreUnderstood(String reason, ReplyFinish finish, Boolean isTransient) throws Exception {
        String[] events = text("half an ans");
        events[events.length - 2] = end(reason);
        ChatModel model = streaming(events);
        if (finish != null) {
            assertThat(model.reply(saying("hi")).finish()).isEqualTo(finish);
            return;
        }
        ChatModelException fault = fault(model, saying("hi").once());
        assertThat(fault.isTransient()).isEqualTo(isTransient);
        assertThat(fault.answered().orElseThrow().completionTokens()).isEqualTo(15);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5})
    void aCutStreamIsAFailure(int events) throws Exception {
        String[] all = text("half", " an ans");
        ChatModelException fault =
                fault(streaming(Arrays.copyOf(all, events)), saying("hi").once());
        assertThat(fault.isTransient()).isTrue();
        assertThat(fault.answered().orElseThrow().promptTokens()).isEqualTo(60);
    }

    @Test
    void aCutCallIsNotMade() throws Exception {
        ChatModelException fault = fault(
                streaming(Arrays.copyOf(call("look", "{\"a\": 1}"), 4)),
                withTool().once());
        assertThat(fault.answered().orElseThrow().toolCalls()).isEmpty();
    }
}
