package dev.parley.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.egress.ScriptedServer;
import dev.parley.http.json.StrictJson;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.tool.source.ToolDiscovery;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious or broken MCP servers: a call fails with a message, soon, and with bounded memory. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class HostileMcpTest {
    private static final String JSON = "application/json";
    private static final String ONE_TOOL = """
            {"tools": [{"name": "go", "inputSchema": {"type": "object"}}]}""";

    /** Answers a request of one method; the id is that of the request. */
    private interface Answer {
        void to(String id, OutputStream out) throws IOException, InterruptedException;
    }

    @Inject
    TestOrganizations organizations;

    private final AtomicReference<Answer> onList = new AtomicReference<>(result(ONE_TOOL));
    private final AtomicReference<Answer> onCall = new AtomicReference<>(result("{\"content\": []}"));
    private ScriptedServer server;
    private ToolCatalogClient catalogue;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(this::answer);
        catalogue = new ToolCatalogClient(organizations);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static Answer result(String json) {
        return (id, out) ->
                ScriptedServer.write(out, 200, JSON, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + json + "}");
    }

    private static Answer raw(String contentType, String body) {
        return (_, out) -> ScriptedServer.write(out, 200, contentType, body);
    }

    private void answer(ScriptedServer.Received request, OutputStream out) throws IOException, InterruptedException {
        if (request.body().isEmpty()) {
            ScriptedServer.write(out, 405, JSON, "");
            return;
        }
        Map<String, Object> message = StrictJson.readObject(request.body());
        String id = StrictJson.write(String.valueOf(message.get("id")));
        switch (String.valueOf(message.get("method"))) {
            case "initialize" -> result("""
                        {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                         "serverInfo": {"name": "hostile", "version": "1"}}""").to(id, out);
            case "tools/list" -> onList.get().to(id, out);
            case "tools/call" -> onCall.get().to(id, out);
            default -> ScriptedServer.write(out, 202, JSON, "");
        }
    }

    private JsonNode provider() {
        return catalogue.add(
                "mcp", Map.of("url", server.url("/mcp"), "credentials", Map.of("bearer_token", "s3cret-token")));
    }

    private JsonNode call() {
        return catalogue.call(catalogue.tool(provider(), "go"), Map.of());
    }

    @Test
    void theIdempotencyKeyAndTheCredentialsAreHandedOver() {
        var _ = call();

        ScriptedServer.Received sent = server.received().stream()
                .filter(one -> one.body().contains("tools/call"))
                .findFirst()
                .orElseThrow();
        assertThat(StrictJson.readObject(sent.body()).toString()).contains("_meta={Idempotency-Key=");
        assertThat(sent.header("Authorization")).isEqualTo("Bearer s3cret-token");
        assertThat(sent.header("MCP-Protocol-Version")).isEqualTo("2025-06-18");
    }

    @Test
    void namesThatToolsMayNotHaveAreLeftOut() {
        onList.set(result("""
                {"tools": [
                  {"name": "ok", "inputSchema": {"type": "object"}},
                  {"name": "ok", "inputSchema": {"type": "object"}},
                  {"name": "two words", "inputSchema": {"type": "object"}},
                  {"name": "line\\nbreak", "inputSchema": {"type": "object"}},
                  {"name": "", "inputSchema": {"type": "object"}},
                  {"name": "../../etc/passwd\\u0000", "inputSchema": {"type": "object"}},
                  {"name": "%s", "inputSchema": {"type": "object"}},
                  {"name": "<script>", "inputSchema": {"type": "object"}}]}""".formatted("x".repeat(200))));

        JsonNode provider = provider();

        assertThat(catalogue.tools(provider)).containsOnlyKeys("ok");
        assertThat(provider.at("/warnings")).hasSize(7);
    }

    @Test
    void maliciousSchemasAndDescriptionsAreSanitised() {
        onList.set(result("""
                {"tools": [{"name": "go", "description": "%s", "inputSchema": {"type": "object", "properties": {
                  "a": {"$ref": "http://169.254.169.254/latest"}, "b": {"$ref": "#"}, "c": {"pattern": "^(x+)+$"}}}}]}""".formatted("long \\u001b[31m".repeat(2_000))));
        JsonNode provider = provider();
        int go = catalogue.tool(provider, "go");

        assertThat(catalogue.tools(provider).get("go").at("/description").asText())
                .hasSizeLessThan(4_010)
                .doesNotContain("\u001b");
        catalogue.attempt(go, Map.of("c", "x".repeat(50) + "!")).expect(400);
        assertThat(catalogue.call(go, Map.of("a", 1)).at("/succeeded").asBoolean())
                .isTrue();
    }

    @Test
    void anEndlessListOfToolsEnds() {
        int[] page = {0};
        onList.set((id, out) -> result("""
                {"tools": [{"name": "t%d", "inputSchema": {"type": "object"}}], "nextCursor": "%d"}""".formatted(page[0], ++page[0])).to(id, out));

        assertThat(provider().at("/tools").asInt()).isLessThanOrEqualTo(ToolDiscovery.MAX_TOOLS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":\"another\",\"result\":{\"content\":[]}}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{}}",
                "[]",
                "{}",
                "not json",
                "",
            })
    void answersToSomethingElseAreNoAnswers(String body) {
        onCall.set(raw(JSON, body));

        JsonNode outcome = call();

        assertThat(outcome.at("/succeeded").asBoolean()).isFalse();
        assertThat(outcome.at("/duration_ms").asInt()).isLessThan(10_000);
    }

    @Test
    void aStreamThatEndsWithoutTheResultIsATransientFault() {
        onCall.set(raw("text/event-stream", "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n"));

        assertThat(call().at("/error/is_transient").asBoolean()).isTrue();
    }

    @Test
    void aStreamIsLeftOnceTheResultIsThere() {
        onCall.set((id, out) -> {
            head(out);
            event(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}");
            event(
                    out,
                    "{\"jsonrpc\":\"2.0\",\"id\":" + id
                            + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}");
            var _ = new CountDownLatch(1).await(30, TimeUnit.SECONDS); // The client closes the connection before that.
        });

        JsonNode outcome = call();

        assertThat(outcome.at("/text").asText()).isEqualTo("done");
        assertThat(outcome.at("/duration_ms").asInt()).isLessThan(10_000);
    }

    @Test
    void aStreamWithoutEndIsCutBySize() {
        onCall.set((_, out) -> {
            head(out);
            while (true) {
                event(
                        out,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\""
                                + "x".repeat(60_000) + "\"}}");
            }
        });

        assertThat(call().at("/error/error").asText()).isEqualTo("Answer too large");
    }

    @Test
    void aHugeAnswerIsCut() {
        onCall.set((_, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999999999999\r\n\r\n{"
                    .getBytes(StandardCharsets.UTF_8));
            out.flush();
        });

        assertThat(call().at("/error/error").asText()).isEqualTo("Answer too large");
    }

    @Test
    void errorsOfServerAndToolAreReported() {
        onCall.set((id, out) -> ScriptedServer.write(
                out,
                200,
                JSON,
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32602,\"message\":\"bad\\narguments\"}}"));
        JsonNode refused = call();
        onCall.set(
                result("{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"token s3cret-token failed\"}]}"));
        JsonNode failed = call();

        assertThat(refused.at("/error/detail").asText()).contains("bad arguments");
        assertThat(failed.at("/error/detail").asText())
                .contains("token *** failed")
                .doesNotContain("s3cret");
        assertThat(List.of(refused, failed))
                .noneMatch(one -> one.at("/error/is_transient").asBoolean());
    }

    @Test
    void aNonMcpServerIsStoredAsFailed() throws IOException {
        try (var other = new ScriptedServer(ScriptedServer.answering(200, "text/html", "<html>"))) {
            JsonNode provider = catalogue
                    .tryAdd("mcp", Map.of("url", other.url("/")))
                    .expect(201)
                    .json();

            assertThat(provider.at("/status").asText()).isEqualTo("FAILED");
            assertThat(provider.at("/error").asText()).contains("MCP server");
        }
    }

    @Test
    void redirectsAreNotFollowed() {
        onCall.set((_, out) ->
                ScriptedServer.write(out, 307, "text/plain", "", "Location: http://169.254.169.254/latest"));

        assertThat(call().at("/error/detail").asText()).contains("redirects are not followed");
    }

    private static void head(OutputStream out) throws IOException {
        out.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static void event(OutputStream out, String data) throws IOException {
        out.write(("event: message\r\ndata: " + data + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
