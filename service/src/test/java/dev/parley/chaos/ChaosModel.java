package dev.parley.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.ScriptedServer;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A chat model that records the calls of AI tasks. It repeats what a person wrote; for a task it waits as the input
 * says, but the tasks of a chain are short.
 */
final class ChaosModel implements AutoCloseable {
    private static final Pattern TASK = Pattern.compile("Do (\\w+)\\.");

    /** What a client sent: a duration, and a name that no other client sent. */
    private static final Pattern INPUT = Pattern.compile("offline:wait (\\d+)(?: (\\w+-\\d+))?");

    /** A task of {@link ChaosWorkflows#CHAIN}. */
    static final String STEP = "step";

    private static final long STEP_MILLIS = 3;

    private final ScriptedServer server = new ScriptedServer(this::answer);
    private final Map<String, List<ModelCall>> calls = new ConcurrentHashMap<>();

    /**
     * A call of an AI task.
     *
     * @param prompt equal for repetitions of one call only
     * @param node that made it
     */
    record ModelCall(String task, String prompt, String node, Instant at) {}

    ChaosModel() throws IOException {}

    /** The settings with which a node uses it. */
    Map<String, String> settings() {
        return Map.of("PARLEY_LLM_BASE_URL", server.url("/v1"), "PARLEY_LLM_MODEL", "chaos");
    }

    /** The calls of AI tasks by the name in the trigger. */
    Map<String, List<ModelCall>> calls() {
        return calls;
    }

    /** The name in the text of a trigger; empty if it has none. */
    static String name(String text) {
        Matcher input = INPUT.matcher(text);
        return input.find() && input.group(2) != null ? input.group(2) : "";
    }

    private void answer(ScriptedServer.Received request, OutputStream out) throws IOException, InterruptedException {
        Instant at = Instant.now();
        String text = lastMessage(request.body());
        Matcher task = TASK.matcher(request.body());
        Matcher input = INPUT.matcher(text);
        long wait = input.find() ? Long.parseLong(input.group(1)) : 0;
        String answer;
        if (task.find()) {
            String node = request.header("Authorization").replace("Bearer ", "");
            if (!name(text).isEmpty()) {
                calls.computeIfAbsent(name(text), _ -> new CopyOnWriteArrayList<>())
                        .add(new ModelCall(task.group(1), request.body(), node, at));
            }
            wait = task.group(1).startsWith(STEP) ? STEP_MILLIS : wait;
            answer = "{\"answer\": \"done\"}";
        } else {
            answer = text;
        }
        ChaosClient.pause(wait);
        ScriptedServer.write(
                out,
                200,
                "application/json",
                StrictJson.write(Map.of(
                        "id",
                        "c",
                        "object",
                        "chat.completion",
                        "created",
                        1,
                        "model",
                        "chaos",
                        "choices",
                        List.of(Map.of(
                                "index",
                                0,
                                "message",
                                Map.of("role", "assistant", "content", answer),
                                "finish_reason",
                                "stop")),
                        "usage",
                        Map.of("prompt_tokens", 100, "completion_tokens", 10, "total_tokens", 110))));
    }

    private static String lastMessage(String body) throws IOException {
        JsonNode messages = StrictJson.mapper().readTree(body).path("messages");
        String content = messages.get(messages.size() - 1).path("content").asText();
        return content.substring(content.lastIndexOf("\n\n") + 1).strip(); // Turns without a reply are joined.
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
