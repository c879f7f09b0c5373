package dev.parley.tool.mcp;

import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ProviderKind;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolDiscovery;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolOutcome;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An MCP server that answers as a test says, and the source of its tools. */
abstract class ScriptedMcp {
    static final String JSON = "application/json";
    static final String EVENTS = "text/event-stream";
    static final String DONE = "{\"content\": [{\"type\": \"text\", \"text\": \"done\"}]}";
    static final String INITIALIZED = """
            {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}""";

    interface Answer {
        void to(ScriptedServer.Received request, String id, OutputStream out) throws IOException, InterruptedException;
    }

    final EgressClient egress = new EgressClient(new EgressRules(EgressAllow.parse("127.0.0.1")));
    final McpSessions sessions = new McpSessions(
            egress,
            Clock.systemUTC(),
            Settings.of(new EnumMap<Setting, String>(Setting.class)).mcp());
    final McpSource source = new McpSource(sessions);
    final Deque<Answer> gets = new ArrayDeque<>();
    ScriptedServer server;
    Answer onInitialize = result(INITIALIZED);
    Answer onNotification = (_, _, out) -> ScriptedServer.write(out, 202, JSON, "");
    Answer onList = result("{\"tools\": []}");
    Answer onCall = result(DONE);

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(this::answer);
    }

    @AfterEach
    void stop() throws IOException {
        sessions.close();
        egress.close();
        server.close();
    }

    private void answer(ScriptedServer.Received request, OutputStream out) throws IOException, InterruptedException {
        if (request.line().startsWith("GET")) {
            gets.remove().to(request, "", out);
            return;
        }
        if (request.body().isEmpty()) {
            ScriptedServer.write(out, 200, JSON, "");
            return;
        }
        Map<String, Object> message = StrictJson.readObject(request.body());
        Answer answer =
                switch (String.valueOf(message.get("method"))) {
                    case "initialize" -> onInitialize;
                    case "tools/list" -> onList;
                    case "tools/call" -> onCall;
                    default -> onNotification;
                };
        answer.to(request, String.valueOf(message.get("id")), out);
    }

    static String response(String id, String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result.replace("\n", " ") + "}";
    }

    static Answer result(String result) {
        return (_, id, out) -> ScriptedServer.write(out, 200, JSON, response(id, result));
    }

    static Answer body(int status, String type, String body, String... headers) {
        return (_, id, out) ->
                ScriptedServer.write(out, status, type, body.replace("$DONE", response(id, DONE)), headers);
    }

    static Answer inSession(String session) {
        return (_, id, out) ->
                ScriptedServer.write(out, 200, JSON, response(id, INITIALIZED), "Mcp-Session-Id: " + session);
    }

    ProviderAccess provider() {
        return new ProviderAccess(
                OrganizationId.next(),
                1_000,
                1,
                ProviderKind.MCP,
                "deviating",
                server.url("/mcp"),
                null,
                null,
                null,
                ToolCredentials.NONE,
                true,
                null);
    }

    static Deadline in(int seconds) {
        return Deadline.in(Duration.ofSeconds(seconds));
    }

    ToolOutcome call() throws ToolFailure, InterruptedException {
        return source.call(provider(), "go", "{}", new ToolCall(Map.of(), "key", in(20)));
    }

    ToolFailure failure() {
        return org.assertj.core.api.Assertions.catchThrowableOfType(ToolFailure.class, this::call);
    }

    ToolDiscovery discover() throws ToolFailure, InterruptedException {
        return source.discover(provider(), in(20));
    }

    List<ScriptedServer.Received> requests(String part) {
        return server.received().stream()
                .filter(request ->
                        request.body().contains(part) || request.line().startsWith(part))
                .toList();
    }

    String callId() {
        return String.valueOf(
                StrictJson.readObject(requests("tools/call").getLast().body()).get("id"));
    }
}
