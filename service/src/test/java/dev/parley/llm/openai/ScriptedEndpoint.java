package dev.parley.llm.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTool;
import dev.parley.llm.ChatTool.ModelToolCall;
import dev.parley.llm.ChatTurn;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;

/** An endpoint that answers or refuses as a test says, and a model that calls it. */
abstract class ScriptedEndpoint {
    static final ObjectMapper JSON = new ObjectMapper();

    static final Map<String, Object> SCHEMA =
            Map.of("type", "object", "properties", Map.of("total", Map.of("type", "integer")));

    final List<AutoCloseable> open = new ArrayList<>();

    final List<JsonNode> asked = new CopyOnWriteArrayList<>();

    ScriptedServer server;

    /** Decides whether the endpoint refuses a request; empty to answer it. */
    interface Refusal {
        Optional<String> of(JsonNode request);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    EndpointChatModel model(String path, String key, ScriptedServer.Script script) throws IOException {
        server = new ScriptedServer((request, out) -> {
            asked.add(JSON.readTree(request.body()));
            script.answer(request, out);
        });
        open.add(server);
        EndpointChatModel model = new EndpointChatModel(
                server.url(path), key, "m", Duration.ofSeconds(20), new EgressRules(EgressAllow.none()), _ -> {});
        open.add(model);
        return model;
    }

    EndpointChatModel answering(String body) throws IOException {
        return model("/v1", "", ScriptedServer.answering(200, "application/json", body));
    }

    EndpointChatModel refusing(int status, Refusal refusal) throws IOException {
        return model("/v1", "", (request, out) -> {
            Optional<String> error = refusal.of(JSON.readTree(request.body()));
            ScriptedServer.write(
                    out,
                    error.isPresent() ? status : 200,
                    "application/json",
                    error.orElse(completion("{\"content\": \"{\\\"total\\\": 7}\"}", "\"stop\"")));
        });
    }

    static String completion(String message, String finish) {
        return "{\"choices\": [{\"message\": " + message + ", \"finish_reason\": " + finish + "}]}";
    }

    static ChatRequest saying(String text) {
        return ChatRequest.text("Be brief.", List.of(ChatTurn.user(text)), Duration.ofSeconds(20));
    }

    static ChatRequest withTool() {
        return saying("go").withTools(List.of(new ChatTool("look", "d", Map.of())));
    }

    static String message(String calls) {
        return "{\"role\": \"assistant\", \"content\": null, \"tool_calls\": " + calls + "}";
    }

    ModelToolCall call(String message) throws Exception {
        return answering(completion(message, "\"tool_calls\""))
                .reply(withTool())
                .toolCalls()
                .getFirst();
    }

    static ChatModelException fault(ChatModel model, ChatRequest request) {
        ChatModelException fault = catchThrowableOfType(ChatModelException.class, () -> model.reply(request));
        assertThat(fault).isNotNull();
        assertThat(fault.detail()).endsWith(".").doesNotContain("Exception", "Secret");
        return fault;
    }
}
