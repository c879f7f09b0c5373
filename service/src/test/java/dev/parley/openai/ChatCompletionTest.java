package dev.parley.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.http.json.StrictJson;
import dev.parley.media.TestFiles;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Chat completions of the offline model and of workflows. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ChatCompletionTest extends OpenAiCase {
    private static final Map<String, Object> TOOL = Map.of(
            "type",
            "function",
            "function",
            Map.of("name", "weather", "parameters", Map.of("type", "object", "properties", Map.of())));

    private static Map<String, Object> request(String model, Object... messages) {
        return new HashMap<>(Map.of("model", model, "messages", List.of(messages)));
    }

    private static Map<String, Object> with(Map<String, Object> request, String name, Object value) {
        request.put(name, value);
        return request;
    }

    private static String text(JsonNode completion) {
        return completion.at("/choices/0/message/content").asText();
    }

    @Test
    void modelAnswersWithItsTokens() {
        JsonNode completion = chat(request("default", Map.of("role", "system", "content", "Be brief."), user("Hello")))
                .expect(200)
                .json();

        assertThat(completion.at("/object").asText()).isEqualTo("chat.completion");
        assertThat(completion.at("/id").asText()).startsWith("chatcmpl-");
        assertThat(text(completion)).contains("You wrote: \"Hello\"");
        assertThat(completion.at("/choices/0/finish_reason").asText()).isEqualTo("stop");
        assertThat(completion.at("/usage/total_tokens").asInt())
                .isEqualTo(completion.at("/usage/prompt_tokens").asInt()
                        + completion.at("/usage/completion_tokens").asInt())
                .isPositive();
        assertThat(completion.at("/usage/prompt_tokens_details/cached_tokens").isInt())
                .isTrue();
    }

    @Test
    void streamHasTheTextInChunks() {
        Api.Answer answer = chat(with(
                with(request("default", user("Hello")), "stream", true),
                "stream_options",
                Map.of("include_usage", true)));

        List<JsonNode> chunks = events(answer);
        assertThat(answer.body()).endsWith("data: [DONE]\n\n");
        assertThat(chunks.getFirst().at("/choices/0/delta/role").asText()).isEqualTo("assistant");
        assertThat(chunks.stream()
                        .map(chunk -> chunk.at("/choices/0/delta/content").asText())
                        .collect(Collectors.joining()))
                .contains("You wrote: \"Hello\"");
        assertThat(chunks.getLast().at("/choices")).isEmpty();
        assertThat(chunks.getLast().at("/usage/completion_tokens").asInt()).isPositive();
        assertThat(chunks.stream().map(chunk -> chunk.at("/id").asText()))
                .containsOnly(chunks.getFirst().at("/id").asText());
    }

    @Test
    void toolCallsGoToTheClientAndTheirResultsComeBack() {
        Map<String, Object> question = user("offline:call weather {\"city\": \"Bern\"}");
        JsonNode called = chat(with(request("default", question), "tools", List.of(TOOL)))
                .expect(200)
                .json();
        JsonNode call = called.at("/choices/0/message/tool_calls/0");

        assertThat(called.at("/choices/0/finish_reason").asText()).isEqualTo("tool_calls");
        assertThat(called.at("/choices/0/message/content").isNull()).isTrue();
        assertThat(call.at("/function/name").asText()).isEqualTo("weather");
        assertThat(call.at("/function/arguments").asText()).isEqualTo("{\"city\": \"Bern\"}");

        Map<String, Object> result =
                Map.of("role", "tool", "tool_call_id", call.at("/id").asText(), "content", "Sunny");
        Map<String, Object> assistant = new HashMap<>(Map.of("role", "assistant", "tool_calls", List.of(call)));
        assistant.put("content", null);
        assertThat(text(chat(with(request("default", question, assistant, result), "tools", List.of(TOOL)))
                        .expect(200)
                        .json()))
                .startsWith("Offline model");
        Map<String, Object> chosen = Map.of("type", "function", "function", Map.of("name", "weather"));
        for (Object choice : List.of("required", chosen)) {
            chat(with(with(request("default", question), "tools", List.of(TOOL)), "tool_choice", choice))
                    .expect(200);
        }
        List<JsonNode> chunks =
                events(chat(with(with(request("default", question), "tools", List.of(TOOL)), "stream", true)));
        assertThat(chunks.stream().map(chunk -> chunk.at("/choices/0/delta/tool_calls/0/function/name")
                        .asText()))
                .contains("weather");
    }

    @Test
    void structuredAnswersAreJson() {
        Map<String, Object> schema = Map.of(
                "type", "object", "properties", Map.of("city", Map.of("type", "string")), "required", List.of("city"));
        String answer = text(chat(with(
                        request("default", user("Bern")),
                        "response_format",
                        Map.of("type", "json_schema", "json_schema", Map.of("name", "place", "schema", schema))))
                .expect(200)
                .json());

        assertThat(answer).startsWith("{\"city\":");
    }

    @Test
    void imagesAreInlineOrFilesOfTheOrganization() {
        String inline = "data:image/png;base64," + Base64.getEncoder().encodeToString(TestFiles.PNG);
        String stored =
                TestFiles.sent(tenant, "dot.png", "image/png", TestFiles.PNG).text("/metadata/file/uri");
        String theirs = TestFiles.sent(Tenant.create(), "dot.png", "image/png", TestFiles.PNG)
                .text("/metadata/file/uri");

        assertThat(text(chat(image(inline)).expect(200).json())).contains("file (image/png, ");
        assertThat(text(chat(image(stored)).expect(200).json())).contains("dot.png (image/png, ");
        for (String url :
                List.of(theirs, "data:image/png,x", "ftp://a/b", "data:image/png;base64,!", "http://10.0.0.1/a")) {
            Api.Answer refused = chat(image(url)).expect(400);
            assertThat(refused.text("/error/param")).startsWith("messages[0].content[0].image_url.url");
        }
    }

    @Test
    void refusedFirstRequestLeavesNoConversation() {
        Map<String, Object> unreadable = image("http://10.0.0.1/a");
        unreadable.put("model", answering());

        chat(unreadable).expect(400);

        assertThat(tenant.get("/conversations").expect(200).json().at("/items")).isEmpty();
    }

    private static Map<String, Object> image(String url) {
        return request(
                "default",
                Map.of(
                        "role",
                        "user",
                        "content",
                        List.of(Map.of("type", "image_url", "image_url", Map.of("url", url)))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"n\": 2}|n",
                "{\"logprobs\": true}|logprobs",
                "{\"top_logprobs\": 3}|top_logprobs",
                "{\"modalities\": [\"text\", \"audio\"]}|modalities",
                "{\"logit_bias\": {\"50256\": -100}}|logit_bias",
                "{\"functions\": []}|functions",
                "{\"tool_choice\": \"required\"}|tool_choice",
                "{\"tool_choice\": {\"type\": \"function\", \"function\": {\"name\": \"x\"}}}|tool_choice.function.name",
                "{\"tools\": [{\"type\": \"web_search\"}]}|tools[0].type",
                "{\"temperature\": \"hot\"}|temperature",
                "{\"temperature\": 3}|temperature",
                "{\"max_tokens\": 0}|max_tokens",
                "{\"max_completion_tokens\": 1.5}|max_completion_tokens",
                "{\"messages\": {}}|messages",
                "{\"messages\": [7]}|messages[0]",
                "{\"messages\": []}|messages",
                "{\"messages\": [{\"role\": \"robot\"}]}|messages[0].role",
                "{\"messages\": [{\"role\": \"tool\", \"tool_call_id\": \"x\"}]}|messages[0].tool_call_id",
                "{\"model\": null}|model",
                "{\"stream\": \"yes\"}|stream",
                "{\"stream_options\": {\"include_usage\": true}}|stream_options",
                "{\"response_format\": {\"type\": \"xml\"}}|response_format.type",
                "{\"reasoning_effort\": \"extreme\"}|reasoning_effort",
                "{\"metadata\": {\"a\": 1}}|metadata.a",
                "{\"stop\": [\"a\", \"b\", \"c\", \"d\", \"e\"]}|stop"
            })
    void otherParametersAreRefusedByName(String more, String param) {
        Map<String, Object> request = request("default", user("Hello"));
        request.putAll(StrictJson.readObject(more));

        assertThat(chat(request).expect(400).text("/error/param")).isEqualTo(param);
    }

    @Test
    void parametersWithoutAnEffectAndUnknownOnesAreAccepted() {
        Map<String, Object> request = request("default", user("Hello"));
        request.putAll(Map.of("user", "u", "seed", 7, "logit_bias", Map.of(), "n", 1, "frequency_penalty", 0.5));
        request.putAll(Map.of("service_tier", "auto", "store", true, "anything", List.of(1), "temperature", 1));

        chat(request).expect(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[1]", "{", "{\"model\": \"a\", \"model\": \"b\"}", "null", "\"x\"", "{\"model\":\"\\u0000\"}"})
    void hostileJsonIsA400InOpenAisShape(String body) {
        for (String path : List.of("/v1/chat/completions", "/v1/responses")) {
            assertThat(post(path, body).expect(400).text("/error/type")).isEqualTo("invalid_request_error");
        }
    }

    @Test
    void aModelThatFailsIsAnErrorAlsoInAStream() {
        assertThat(chat(request("default", user("offline:fail Nothing works")))
                        .expect(422)
                        .text("/error/message"))
                .contains("Nothing works");
        chat(request("default", user("offline:unavailable"))).expect(503);
        Api.Answer streamed = chat(with(request("default", user("offline:fail Nothing works")), "stream", true));
        assertThat(streamed.expect(422).text("/error/code")).isEqualTo("answer_failed");
    }

    @Test
    void workflowAnswersWithItsOutput() {
        JsonNode completion =
                chat(request(answering(), user("Hello"))).expect(200).json();

        assertThat(text(completion)).startsWith("Offline model");
        assertThat(completion.at("/metadata/workflow_instance_status").asText()).isEqualTo("COMPLETED");
        List<JsonNode> chunks = events(chat(with(request(answering(), user("Hello")), "stream", true)));
        assertThat(chunks.stream()
                        .map(chunk -> chunk.at("/choices/0/delta/content").asText())
                        .collect(Collectors.joining()))
                .startsWith("Offline model");
    }

    @Test
    void conversationContinuesWithTheReplyToAQuestion() {
        String model = asking();
        JsonNode asked = chat(request(model, user("Plan a trip"))).expect(200).json();
        String conversation = asked.at("/metadata/conversation_id").asText();

        assertThat(text(asked)).contains("'nights'");
        JsonNode done = chat(with(
                        request(model, user("Plan a trip"), user("3")),
                        "metadata",
                        Map.of("conversation_id", conversation)))
                .expect(200)
                .json();
        assertThat(done.at("/metadata/workflow_instance_status").asText()).isEqualTo("COMPLETED");
        assertThat(text(done)).isEqualTo("3");
        assertThat(done.at("/metadata/workflow_instance_id").asText())
                .isEqualTo(asked.at("/metadata/workflow_instance_id").asText());
    }

    @Test
    void aWorkflowThatFailsIsAnErrorThatClientsDoNotRetry() {
        assertThat(chat(request(answering(), user("offline:fail Nothing works")))
                        .expect(422)
                        .text("/error/message"))
                .contains("Nothing works");
    }
}
