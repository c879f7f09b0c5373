package dev.parley.workflow.task.ai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.ScriptedServer;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A chat model and a tool that count. The model calls the tool a number of times, one call per reply, and then answers;
 * its replies are streamed. An input with {@code RUN name} distinguishes runs.
 */
public final class AgentServer implements AutoCloseable {
    private static final Pattern RUN = Pattern.compile("RUN ([A-Za-z0-9-]+)");
    private static final Pattern CALL = Pattern.compile("/tool/([A-Za-z0-9-]+)/([0-9]+)");

    /** Called before a tool responds, and in the middle of a reply of the model; for example to end a node. */
    @FunctionalInterface
    public interface Hook {
        /** @param step {@code model 3} or {@code tool 3} */
        void before(String step) throws IOException, InterruptedException;
    }

    /**
     * The calls of a run.
     *
     * @param replies the number of tool results that each request of the model had, in order
     * @param keys the idempotency keys of the calls of the tool by the number of the call
     */
    public record Calls(List<Integer> replies, Map<Integer, List<String>> keys) {
        Calls() {
            this(new CopyOnWriteArrayList<>(), new ConcurrentHashMap<>());
        }
    }

    private final ScriptedServer server;
    private final int calls;
    private final Map<String, Calls> runs = new ConcurrentHashMap<>();
    private final AtomicBoolean failsOnce = new AtomicBoolean();
    private volatile JsonNode messages = StrictJson.mapper().createArrayNode();
    private volatile Hook hook = _ -> {};
    private volatile String answer = "{\"answer\": \"done\"}";
    private volatile List<String> tools = List.of("http_request_1");

    public AgentServer(int calls) throws IOException {
        this.calls = calls;
        this.server = new ScriptedServer(this::answer);
    }

    public String modelUrl() {
        return server.url("/v1");
    }

    public Calls of(String run) {
        return runs.computeIfAbsent(run, _ -> new Calls());
    }

    public void before(Hook next) {
        hook = next;
    }

    /** What the tools returned, as the last request of the model has it. */
    public List<String> toolResults() {
        return messages.valueStream()
                .filter(message -> message.path("role").asText().equals("tool"))
                .map(message -> message.path("content").asText())
                .toList();
    }

    /** The final answer of the model. */
    public void answerWith(String json) {
        answer = json;
    }

    /** The names of the tools that each reply calls. */
    public void callTools(List<String> names) {
        tools = List.copyOf(names);
    }

    /** The next request of the model fails with a status that is not retried. */
    public void failOnce() {
        failsOnce.set(true);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void answer(ScriptedServer.Received request, OutputStream out) throws IOException, InterruptedException {
        Matcher call = CALL.matcher(request.line());
        if (call.find()) {
            int number = Integer.parseInt(call.group(2));
            of(call.group(1))
                    .keys()
                    .computeIfAbsent(number, _ -> new CopyOnWriteArrayList<>())
                    .add(request.header("Idempotency-Key"));
            hook.before("tool " + number);
            ScriptedServer.write(out, 200, "application/json", "{\"number\": " + number + "}");
            return;
        }
        int results = 0;
        messages = StrictJson.mapper().readTree(request.body()).path("messages");
        for (JsonNode message : messages) {
            results += message.path("role").asText().equals("tool") ? 1 : 0;
        }
        Matcher named = RUN.matcher(request.body());
        String run = named.find() ? named.group(1) : "run";
        if (failsOnce.compareAndSet(true, false)) {
            ScriptedServer.write(out, 403, "application/json", "{}");
            return;
        }
        of(run).replies().add(results);

        Map<String, Object> message = results < calls ? toolCalls(run, results) : Map.of("content", answer);
        String finish = results < calls ? "tool_calls" : "stop";
        // A hook that ends a node does so in the middle of the reply.
        writeChunk(
                out,
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
                choice(Map.of("role", "assistant", "content", ""), ""));
        hook.before("model " + results);
        writeChunk(out, "", choice(message, ""));
        writeChunk(out, "", choice(Map.of(), finish));
        writeChunk(
                out,
                "",
                "{\"choices\": [], \"usage\": {\"prompt_tokens\": 100, \"completion_tokens\": 10, \"total_tokens\": 110}}");
        writeChunk(out, "", "[DONE]");
        out.write("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static String choice(Map<String, Object> delta, String finish) {
        Map<String, Object> choice = new HashMap<>(Map.of("index", 0, "delta", delta));
        if (!finish.isEmpty()) {
            choice.put("finish_reason", finish);
        }
        return StrictJson.write(Map.of("id", "c", "model", "agent", "choices", List.of(choice)));
    }

    private static void writeChunk(OutputStream out, String head, String data) throws IOException {
        byte[] event = ("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
        out.write((head + Integer.toHexString(event.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.write(event);
        out.write("\r\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private Map<String, Object> toolCalls(String run, int results) {
        List<Object> requested = new ArrayList<>();
        for (String tool : tools) {
            int number = results + requested.size();
            requested.add(Map.of(
                    "index",
                    requested.size(),
                    "id",
                    "call_" + number,
                    "type",
                    "function",
                    "function",
                    Map.of(
                            "name",
                            tool,
                            "arguments",
                            StrictJson.write(
                                    Map.of("method", "POST", "url", server.url("/tool/" + run + "/" + number))))));
        }
        return Map.of("tool_calls", requested);
    }
}
