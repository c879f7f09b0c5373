package dev.parley.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.ServiceResource;
import dev.parley.egress.ScriptedServer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The test of a model finds out and stores what it can do. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ModelTestTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ModelEndpoints models;

    @BeforeEach
    void start() {
        models = new ModelEndpoints();
    }

    @AfterEach
    void stop() throws IOException {
        models.close();
    }

    private JsonNode test(String alias) {
        return models.owner
                .post(models.path + "/models/" + models.listed(alias).at("/id").asInt() + "/test")
                .send()
                .expect(200)
                .json();
    }

    private static String reply(String message, int reasoning) {
        return """
                {"choices": [{"message": %s, "finish_reason": "stop"}],
                 "usage": {"prompt_tokens": 9, "completion_tokens": 9,
                           "completion_tokens_details": {"reasoning_tokens": %d}}}""".formatted(message, reasoning);
    }

    private static String refusal(String text) {
        return "{\"error\": {\"message\": \"" + text + "\"}}";
    }

    /** Knows tools and JSON objects, but no images, schemas and streams. */
    private static final ScriptedServer.Script LIMITED = (received, out) -> {
        JsonNode request = JSON.readTree(received.body());
        int status = 200;
        String body = reply("{\"content\": \"1 2 3\"}", request.has("reasoning_effort") ? 5 : 0);
        if (received.body().contains("image_url")) {
            status = 400;
            body = refusal("image input is not supported");
        } else if (request.at("/response_format/type").asText().equals("json_schema")) {
            status = 400;
            body = refusal("response_format json_schema is not supported");
        } else if (request.has("response_format")) {
            body = reply("{\"content\": \"{\\\"sum\\\": 5}\"}", 0);
        } else if (request.has("tools")) {
            body = reply("""
                    {"content": null, "tool_calls": [{"id": "c1", "type": "function",
                     "function": {"name": "weather", "arguments": "{\\"city\\": \\"Rome\\"}"}}]}""", 0);
        }
        ScriptedServer.write(out, status, "application/json", body);
    };

    @Test
    void whatTheModelCanDoIsStoredAndFailuresAreSentences() throws Exception {
        models.add("m", LIMITED, Map.of("context_tokens", 8000));

        JsonNode result = test("m");

        assertThat(result.at("/ok").asBoolean()).isTrue();
        assertThat(result.at("/latency_millis").isNumber()).isTrue();
        assertThat(result.at("/capabilities/tools").asBoolean()).isTrue();
        assertThat(result.at("/capabilities/images").asBoolean(true)).isFalse();
        assertThat(result.at("/capabilities/json_schema").asBoolean(true)).isFalse();
        assertThat(result.at("/capabilities/json_object").asBoolean()).isTrue();
        assertThat(result.at("/capabilities/streaming").asBoolean(true)).isFalse();
        assertThat(result.at("/capabilities/reasoning").asBoolean()).isTrue();
        assertThat(result.at("/failures")).hasSize(1);
        assertThat(result.at("/failures/0/capability").asText()).isEqualTo("images");
        assertThat(result.at("/failures/0/detail").asText()).endsWith(".");
        assertThat(models.listed("m").at("/capabilities")).isEqualTo(result.at("/capabilities"));
        assertThat(models.listed("m").at("/context_tokens").asInt()).isEqualTo(8000);
    }

    @Test
    void aModelThatDoesNotReplyKeepsWhatIsKnown() throws Exception {
        models.add("m", ModelEndpoints.failing(401, "bad key"), Map.of("capabilities", Map.of("tools", true)));

        JsonNode result = test("m");

        assertThat(result.at("/ok").asBoolean(true)).isFalse();
        assertThat(result.at("/failures/0/detail").asText()).contains("refused the configured key");
        assertThat(result.at("/capabilities/tools").asBoolean()).isTrue();
        assertThat(models.listed("m").at("/capabilities/tools").asBoolean()).isTrue();
    }
}
