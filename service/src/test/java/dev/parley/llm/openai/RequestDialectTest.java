package dev.parley.llm.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.ScriptedServer;
import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatOptions;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTool;
import dev.parley.llm.ChatTool.ModelToolCall;
import dev.parley.llm.ChatTurn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that endpoints refuse (docs/guides/models.md). */
class RequestDialectTest extends ScriptedEndpoint {
    /** The request that follows a reply with tool calls. */
    private JsonNode next(EndpointChatModel model, ChatReply reply) throws Exception {
        ChatRequest more = withTool().withTurn(ChatTurn.assistant(reply));
        for (ModelToolCall call : reply.toolCalls()) {
            more = more.withTurn(ChatTurn.tool(call, "result of " + call.id()));
        }
        var _ = model.reply(more);
        return asked.getLast().path("messages");
    }

    @Test
    void membersOfTheEndpointAreSentBack() throws Exception {
        EndpointChatModel model = answering(completion("""
                {"role": "assistant", "content": "", "refusal": null, "annotations": [],
                 "reasoning_content": "Let me look.", "reasoning_details": [{"type": "x", "index": 0, "data": null}],
                 "tool_calls": [
                   {"id": "1", "type": "function", "index": 0,
                    "function": {"name": "look", "arguments": {"a": 1}, "provider_fields": {"s": "t"}},
                    "extra_content": {"google": {"thought_signature": "c2ln"}}},
                   {"id": "2", "type": "function", "function": {"name": "look", "arguments": "{cut"}}]}""", "\"stop\""));
        JsonNode messages = next(model, model.reply(withTool()));
        JsonNode said = messages.path(2);
        assertThat(said.path("reasoning_content").asText()).isEqualTo("Let me look.");
        assertThat(said.path("reasoning_details").toString()).isEqualTo("[{\"type\":\"x\",\"index\":0,\"data\":null}]");
        assertThat(said.has("refusal") || said.has("annotations")).isFalse();
        assertThat(said.path("content").isNull()).isTrue();
        JsonNode call = said.at("/tool_calls/0");
        assertThat(call.at("/extra_content/google/thought_signature").asText()).isEqualTo("c2ln");
        assertThat(call.at("/function/provider_fields/s").asText()).isEqualTo("t");
        assertThat(call.at("/function/arguments").asText()).isEqualTo("{\"a\":1}");
        assertThat(call.has("index")).isFalse();
        assertThat(said.at("/tool_calls/1/function/arguments").asText()).isEqualTo("{}");
        assertThat(messages.findValuesAsText("tool_call_id")).containsExactly("1", "2");
    }

    @Test
    void partsWithReasoningAreSentBackWithTheCalls() throws Exception {
        EndpointChatModel model = answering(completion("""
                {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hmm."}]},
                             {"type": "text", "text": "Looking."}],
                 "tool_calls": [{"id": "1", "function": {"name": "look", "arguments": "{}"}}]}""", "\"tool_calls\""));
        ChatReply reply = model.reply(withTool());
        assertThat(reply.text()).isEqualTo("Looking.");
        assertThat(next(model, reply).at("/2/content/0/type").asText()).isEqualTo("thinking");
    }

    @Test
    void membersThatAreRefusedAreLeftOutAndThatIsRemembered() throws Exception {
        EndpointChatModel model = refusing(
                400,
                request -> request.path("messages").findValue("reasoning_content") == null
                        ? Optional.empty()
                        : Optional.of("{\"error\": {\"message\": \"property 'reasoning_content' is unsupported\"}}"));
        ChatReply reply = new ChatReply(
                "",
                1,
                0,
                1,
                0,
                "m",
                ChatReply.ReplyFinish.STOP,
                List.of(new ModelToolCall("1", "look", "{}")),
                Map.of("reasoning_content", "Hmm."),
                0);
        var _ = next(model, reply);
        assertThat(asked).hasSize(2);
        var _ = next(model, reply);
        assertThat(asked).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Tool call id must be a-z, A-Z, 0-9, with a length of 9. | /2/tool_calls/0/id | [a-z0-9]{9}",
                "The `reasoning_content` must be passed back. | /2/reasoning_content | ",
                "invalid message content type: <nil> | /2/content | ",
            })
    void aMessageIsChangedAsTheEndpointDemands(String error, String pointer, String value) throws Exception {
        List<String> refusals = new ArrayList<>(List.of(error));
        EndpointChatModel model =
                refusing(400, _ -> refusals.isEmpty() ? Optional.empty() : Optional.of(refusals.removeFirst()));
        ChatReply reply = new ChatReply(
                "",
                1,
                0,
                1,
                0,
                "m",
                ChatReply.ReplyFinish.STOP,
                List.of(new ModelToolCall("call_1", "look", "{}")),
                Map.of(),
                0);
        JsonNode messages = next(model, reply);
        assertThat(asked).hasSize(2);
        assertThat(messages.at(pointer).isTextual()).isTrue();
        assertThat(messages.at(pointer).asText()).matches(value == null ? "" : value);
        assertThat(messages.at("/3/tool_call_id")).isEqualTo(messages.at("/2/tool_calls/0/id"));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 422})
    void aRefusedSchemaIsReplacedByItsPrompt(int status) throws Exception {
        EndpointChatModel model = refusing(
                status,
                request -> request.at("/response_format/type").asText().equals("json_schema")
                        ? Optional.of("{\"error\": {\"message\": \"This response_format type is unavailable now\"}}")
                        : Optional.empty());
        for (int i = 0; i < 2; i++) {
            assertThat(model.reply(saying("hi").withSchema(SCHEMA)).text()).isEqualTo("{\"total\": 7}");
        }
        assertThat(asked).hasSize(3);
        JsonNode last = asked.getLast();
        assertThat(last.at("/response_format/type").asText()).isEqualTo("json_object");
        assertThat(last.at("/messages/0/content").asText())
                .startsWith("Be brief.")
                .contains("JSON Schema", "\"total\"");
    }

    @Test
    void withoutAnyFormatThePromptRemains() throws Exception {
        EndpointChatModel model = refusing(
                400, request -> request.has("response_format") ? Optional.of("Bad Request") : Optional.empty());
        var _ = model.reply(saying("hi").withSchema(SCHEMA));
        var _ = model.reply(saying("hi").withSchema(SCHEMA));
        assertThat(asked).hasSize(4);
        assertThat(asked.getLast().at("/messages/0/content").asText()).contains("JSON Schema");
    }

    @Test
    void aRefusalForAnotherReasonIsNotRemembered() throws Exception {
        List<String> refusals = new ArrayList<>(List.of("Bad Request", "Bad Request", "Bad Request", "Bad Request"));
        EndpointChatModel model =
                refusing(400, _ -> refusals.isEmpty() ? Optional.empty() : Optional.of(refusals.removeFirst()));
        assertThat(fault(model, saying("hi").withSchema(SCHEMA)).isTransient()).isFalse();
        assertThat(asked).hasSize(4);
        var _ = model.reply(saying("hi").withSchema(SCHEMA));
        assertThat(asked.getLast().at("/response_format/type").asText()).isEqualTo("json_schema");
    }

    @Test
    void anAnswerThatIsRefusedIsNotRemembered() throws Exception {
        List<String> refusals = new ArrayList<>(
                List.of("{\"error\": {\"code\": \"json_validate_failed\", \"failed_generation\": \"Secret\"}}"));
        EndpointChatModel model =
                refusing(400, _ -> refusals.isEmpty() ? Optional.empty() : Optional.of(refusals.removeFirst()));
        for (String type : List.of("json_object", "json_schema")) {
            assertThat(model.reply(saying("hi").withSchema(SCHEMA)).text()).isEqualTo("{\"total\": 7}");
            assertThat(asked.getLast().at("/response_format/type").asText()).isEqualTo(type);
        }
        refusals.add("{\"error\": {\"code\": \"tool_use_failed\", \"failed_generation\": \"<function=look>\"}}");
        var _ = model.reply(withTool());
        assertThat(asked).as("the model was asked again").hasSize(5);
    }

    @Test
    void aChangeThatDidNotHelpIsNotRemembered() throws Exception {
        EndpointChatModel model = refusing(
                400,
                request -> request.has("response_format")
                        ? Optional.of("messages: invalid content, 'stream'")
                        : Optional.empty());
        for (int i = 0; i < 2; i++) {
            assertThat(model.reply(saying("hi").withSchema(SCHEMA)).text()).isEqualTo("{\"total\": 7}");
        }
        assertThat(asked.getLast().path("stream").isBoolean()).isTrue();
        assertThat(asked.getLast().has("response_format")).isFalse();
    }

    @Test
    void aRefusalWithStatus200IsLearnedToo() throws Exception {
        EndpointChatModel model = refusing(
                200,
                request -> request.at("/response_format/type").asText().equals("json_schema")
                        ? Optional.of("{\"error\": {\"message\": \"response_format json_schema is not supported\"}}")
                        : Optional.empty());
        assertThat(model.reply(saying("hi").withSchema(SCHEMA)).text()).isEqualTo("{\"total\": 7}");
    }

    @Test
    void withoutASystemRoleTheUserSaysIt() throws Exception {
        EndpointChatModel model = refusing(
                400,
                request -> request.at("/messages/0/role").asText().equals("system")
                        ? Optional.of("{\"error\": \"System role not supported\"}")
                        : Optional.empty());
        var _ = model.reply(saying("hi"));
        assertThat(asked.getLast().path("messages").findValuesAsText("role")).containsExactly("user");
        assertThat(asked.getLast().at("/messages/0/content").asText()).isEqualTo("Be brief.\n\nhi");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead. | max_tokens | max_completion_tokens",
                "max_tokens is too large: 100. This model supports at most 50 completion tokens | max_tokens | ",
                "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported. | temperature | ",
                "temperature and top_p cannot both be specified for this model | top_p | ",
                "Unrecognized request argument supplied: reasoning_effort | reasoning_effort | ",
                "Unsupported parameter: 'stop' is not supported with this model. | stop | ",
            })
    void anOptionThatIsRefusedIsLeftOut(String error, String refused, String instead) throws Exception {
        EndpointChatModel model = refusing(
                400,
                request -> request.has(refused) ? Optional.of("{\"error\": \"" + error + "\"}") : Optional.empty());
        ChatRequest request = saying("hi").withOptions(new ChatOptions(0.5, 0.9, 100, "low", List.of("END")));
        for (int i = 0; i < 2; i++) {
            assertThat(model.reply(request).text()).isNotBlank();
        }
        assertThat(asked).as("remembered").hasSize(3);
        assertThat(asked.getFirst().path("temperature").asDouble()).isEqualTo(0.5);
        assertThat(asked.getFirst().path("top_p").asDouble()).isEqualTo(0.9);
        assertThat(asked.getFirst().path("max_tokens").asInt()).isEqualTo(100);
        assertThat(asked.getFirst().path("reasoning_effort").asText()).isEqualTo("low");
        assertThat(asked.getFirst().path("stop").toString()).isEqualTo("[\"END\"]");
        assertThat(asked.getLast().has(refused)).isFalse();
        int options = instead == null ? 4 : 5;
        assertThat(asked.getLast().size()).isEqualTo(4 + options);
        assertThat(instead == null || asked.getLast().path(instead).asInt() == 100)
                .isTrue();
        if (!refused.equals("max_tokens") || instead == null) {
            var _ = model.reply(saying("hi").withOptions(new ChatOptions(0.7, 0.8, 90, "high", List.of("x", "y"))));
            assertThat(asked).as("another value is tried").hasSize(5);
            assertThat(asked.get(3).has(refused)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "400 | {\"error\": {\"message\": \"x\", \"code\": \"context_length_exceeded\"}}",
                "400 | This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
                "400 | The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
                "400 | {\"error\": {\"code\": 400, \"type\": \"exceed_context_size_error\", \"message\": \"the request exceeds the available context size\"}}",
                "500 | {\"error\": \"the input length exceeds the context length\"}",
                "400 | Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
                "400 | The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
                "400 | Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
                "400 | Please reduce the length of the messages or completion.",
                "400 | This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
                "400 | Input is too long for requested model.",
                "413 | Payload Too Large",
            })
    void aRequestThatIsTooLongIsKnown(int status, String error) throws Exception {
        EndpointChatModel model = refusing(status, _ -> Optional.of(error));
        ChatModelException fault =
                fault(model, saying("hi").withOptions(new ChatOptions(null, null, 100, null, List.of())));
        assertThat(fault.isContextOverflow()).isTrue();
        assertThat(fault.isTransient()).isFalse();
        assertThat(asked).hasSize(1);
    }

    @Test
    void aChosenToolMustBeCalled() throws Exception {
        EndpointChatModel model = answering(completion("{\"content\": \"x\"}", "\"stop\""));
        for (String choice : List.of(ChatOptions.ANY_TOOL, "look")) {
            var _ = model.reply(withTool().withOptions(new ChatOptions(null, null, null, null, List.of(), choice)));
        }
        assertThat(asked.getFirst().path("tool_choice").asText()).isEqualTo("required");
        assertThat(asked.getLast().at("/tool_choice/function/name").asText()).isEqualTo("look");
    }

    @Test
    void rolesTakeTurns() throws Exception {
        EndpointChatModel model = answering(completion("{\"content\": \"x\"}", "\"stop\""));
        var request = ChatRequest.text(
                        "Be brief.",
                        List.of(
                                ChatTurn.assistant("Welcome."),
                                ChatTurn.assistant("How can I help?"),
                                ChatTurn.user("one"),
                                ChatTurn.user(" ")
                                        .withFiles(List.of(ChatFile.image("i.png", "image/png", new byte[] {1})))),
                        Duration.ofSeconds(20))
                .withInputs(Map.of("n", 3));
        var _ = model.reply(request);
        JsonNode messages = asked.getFirst().path("messages");
        assertThat(messages.findValuesAsText("role")).containsExactly("system", "user", "assistant", "user");
        assertThat(messages.at("/1/content").asText()).isNotBlank();
        assertThat(messages.at("/2/content").asText()).isEqualTo("Welcome.\n\nHow can I help?");
        List<String> types = StreamSupport.stream(messages.at("/3/content").spliterator(), false)
                .map(part -> part.path("type").asText())
                .toList();
        assertThat(types).containsExactly("text", "text", "text", "image_url", "text");
        var _ = model.reply(ChatRequest.text("", List.of(ChatTurn.assistant("Hello.")), Duration.ofSeconds(20)));
        assertThat(asked.getLast().path("messages").findValuesAsText("role"))
                .containsExactly("user", "assistant", "user");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1?api-version=2, /v1/chat/completions?api-version=2, api-key",
        "/v1/chat/completions, /v1/chat/completions, Authorization",
        "/v1/, /v1/chat/completions, Authorization",
    })
    void theKeyAndThePathFitTheEndpoint(String base, String path, String header) throws Exception {
        EndpointChatModel model = model(
                base,
                "k",
                ScriptedServer.answering(200, "application/json", completion("{\"content\": \"x\"}", "\"stop\"")));
        var _ = model.reply(saying("hi"));
        ScriptedServer.Received received = server.received().getFirst();
        assertThat(received.line()).isEqualTo("POST " + path + " HTTP/1.1");
        assertThat(received.header(header)).endsWith("k");
        assertThat(received.header(header.equals("api-key") ? "Authorization" : "api-key"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"/v1, 404", "'', 404", "'', 405", "'', 200"})
    void theAddressIsFoundOnce(String served, int status) throws Exception {
        EndpointChatModel model = model("", "", (request, out) -> {
            boolean found = request.line().startsWith("POST " + served + "/chat/completions ");
            ScriptedServer.write(
                    out,
                    found ? 200 : status,
                    "application/json",
                    found
                            ? completion("{\"content\": \"x\"}", "\"stop\"")
                            : "{\"error\": \"Unexpected endpoint or method.\"}");
        });
        var _ = model.reply(saying("hi"));
        int first = asked.size();
        var _ = model.reply(saying("hi"));
        assertThat(asked).hasSize(first + 1);
    }

    @Test
    void toolsAreOfferedWithPlainSchemasIfNeedBe() throws Exception {
        EndpointChatModel model = refusing(
                400,
                request -> request.toString().contains("exclusiveMinimum")
                                || request.at("/tools/1/function/parameters").isObject()
                        ? Optional.of(
                                "[{\"error\": {\"code\": 400, \"message\": \"Invalid at 'tools[0].function_declarations'\"}}]")
                        : Optional.empty());
        Map<String, Object> count = Map.of(
                "type", List.of("integer", "null"), "exclusiveMinimum", 0, "description", "How many.", "default", 1);
        Map<String, Object> list =
                Map.of("type", "array", "items", Map.of("type", "string", "enum", List.of("a"), "format", "x"));
        var looking = new ChatTool(
                "look", "d", Map.of("properties", Map.of("count", count, "list", list), "required", List.of("count")));
        var _ = model.reply(saying("go").withTools(List.of(looking, new ChatTool("none", "d", Map.of()))));
        assertThat(asked).hasSize(2);
        JsonNode parameters = asked.getLast().at("/tools/0/function/parameters");
        assertThat(parameters).isEqualTo(JSON.readTree("""
                {"type": "object", "required": ["count"], "properties": {
                  "count": {"type": "integer", "description": "How many."},
                  "list": {"type": "array", "items": {"type": "string", "enum": ["a"]}}}}"""));
    }

    @Test
    void oneOddSchemaDoesNotChangeTheToolsOfOthers() throws Exception {
        EndpointChatModel model = refusing(
                400,
                request -> request.toString().contains("exclusiveMinimum")
                        ? Optional.of("Unknown name at 'tools[0].function_declarations'")
                        : Optional.empty());
        ChatRequest odd = saying("go").withTools(List.of(counting("exclusiveMinimum")));
        var _ = model.reply(odd);
        var _ = model.reply(odd);
        assertThat(asked).hasSize(3);
        var _ = model.reply(saying("go").withTools(List.of(counting("minimum"))));
        assertThat(asked.getLast()
                        .at("/tools/0/function/parameters/properties/n/minimum")
                        .asInt())
                .isEqualTo(1);
    }

    private static ChatTool counting(String keyword) {
        return new ChatTool("count", "d", Map.of("properties", Map.of("n", Map.of("type", "integer", keyword, 1))));
    }

    @Test
    void aWebPageIsNotTakenForTheAddressOfTheApi() throws Exception {
        boolean[] away = {true};
        EndpointChatModel model = model("", "", (request, out) -> {
            boolean served = request.line().startsWith("POST /v1/");
            ScriptedServer.write(
                    out,
                    served && away[0] ? 404 : 200,
                    served ? "application/json" : "text/html",
                    served ? completion("{\"content\": \"x\"}", "\"stop\"") : "<html></html>");
        });
        assertThat(fault(model, saying("hi")).isTransient()).isTrue();
        away[0] = false;
        assertThat(model.reply(saying("hi")).text()).isEqualTo("x");
        assertThat(server.received().getLast().line()).contains("/v1/");
    }
}
