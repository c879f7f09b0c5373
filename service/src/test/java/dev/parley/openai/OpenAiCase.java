package dev.parley.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.Tenant;
import dev.parley.http.json.StrictJson;
import dev.parley.id.WorkflowId;
import dev.parley.workflow.instance.Workflows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What tests of OpenAI's dialects share: a tenant of their own, requests, and the events of streams. */
abstract class OpenAiCase {
    final Tenant tenant = Tenant.create();

    static Map<String, Object> user(String text) {
        return Map.of("role", "user", "content", text);
    }

    Api.Answer chat(Map<String, Object> body) {
        return post("/v1/chat/completions", body);
    }

    Api.Answer responses(Map<String, Object> body) {
        return post("/v1/responses", body);
    }

    Api.Answer post(String path, Object body) {
        return new Api().post(path).key(tenant.key()).json(body).send();
    }

    Api.Answer get(String path) {
        return new Api().get(path).key(tenant.key()).send();
    }

    /** The data of a stream's events, without the last one of a chat. */
    static List<JsonNode> events(Api.Answer stream) {
        if (!stream.expect(200).header("Content-Type").startsWith("text/event-stream")) {
            throw new AssertionError(stream.header("Content-Type"));
        }
        List<JsonNode> events = new ArrayList<>();
        stream.body()
                .lines()
                .filter(line -> line.startsWith("data: ") && !line.equals("data: [DONE]"))
                .forEach(line -> {
                    try {
                        events.add(StrictJson.mapper().readTree(line.substring("data: ".length())));
                    } catch (IOException e) {
                        throw new AssertionError(line, e);
                    }
                });
        return events;
    }

    /** A workflow that answers its message. */
    String answering() {
        return model(Workflows.of(tenant).ai("answer").publish());
    }

    /** A workflow that asks for a number and returns it. */
    String asking() {
        return model(Workflows.of(tenant)
                .task(
                        "answer",
                        Map.of(
                                "kind", "AI",
                                "input_parameters", List.of(Workflows.input("nights", "INTEGER", "human_input", true)),
                                "expected_output", List.of(Workflows.output("nights", "INTEGER"))))
                .publish());
    }

    static String model(WorkflowId workflow) {
        return "workflow/" + workflow.text();
    }
}
