package dev.parley.tool.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.tool.Deadline;
import dev.parley.tool.ToolCredentials;
import io.modelcontextprotocol.spec.McpSchema;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HttpExchangeTest {
    private static final String INITIALIZED = """
            {"jsonrpc": "2.0", "id": "1", "result": {"protocolVersion": "2025-06-18", "capabilities": {},
             "serverInfo": {"name": "test", "version": "1"}}}""";

    @Test
    void aRequestSentDuringTheHandshakeNamesTheAgreedVersion() throws Exception {
        Deadline deadline = Deadline.in(Duration.ofSeconds(10));
        var rules = new EgressRules(EgressAllow.parse("127.0.0.1"));
        try (var server = new ScriptedServer(ScriptedServer.answering(200, "application/json", INITIALIZED));
                var egress = new EgressClient(rules)) {
            var exchange =
                    new HttpExchange(egress, server.url("/mcp"), ToolCredentials.NONE, Clock.systemUTC(), deadline);
            var next = new McpSchema.JSONRPCNotification("2.0", "notifications/initialized", null);
            exchange.connect(answers ->
                            answers.doOnNext(_ -> exchange.sendMessage(next).block()))
                    .block();

            exchange.sendMessage(new McpSchema.JSONRPCRequest("2.0", "initialize", "1", null))
                    .block(Duration.ofSeconds(10));

            assertThat(server.received())
                    .extracting(request -> request.header("MCP-Protocol-Version"))
                    .containsExactly("", "2025-06-18");
        }
    }
}
