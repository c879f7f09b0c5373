package dev.parley.tool.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.egress.ScriptedServer;
import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.DiscoveredTool;
import dev.parley.tool.source.ToolDiscovery;
import dev.parley.tool.source.ToolOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that deviate from the Model Context Protocol, or use its rare parts. docs/guides/tools.md lists them. */
class McpDeviationTest extends ScriptedMcp {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "data: $DONE", // no blank line
                "data: $DONE\n",
                "\uFEFFdata: $DONE\n\n",
                "data: $DONE\r\r",
                "data: $DONE\r\n\r\n",
                ": ping - 2026-01-01\n\nevent: ping\ndata: now\n\nevent: error\ndata:$DONE\n\n",
                "event: message\nid\nfoo: bar\ndata: $DONE\n\n",
                "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\ndata: $DONE\n\n",
                "data: [{\"jsonrpc\":\"2.0\",\"method\":\"x\"},\ndata: $DONE\ndata: ]\n\n",
            })
    void eventStreamsOfAllFormsAreRead(String events) throws Exception {
        onCall = body(200, EVENTS, events);

        assertThat(call().text()).isEqualTo("done");
    }

    @Test
    void anEventThatIsCutOffIsNotRead() {
        onCall = body(200, EVENTS, "data: {\"jsonrpc\":\"2.0\",\"id\":3,\"res");

        assertThat(failure().title()).isIn("Invalid answer", "Connection lost");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200 | application/json         | data: $DONE
            200 | text/plain               | data: $DONE
            200 | text/event-stream        | $DONE
            200 | text/plain               | $DONE
            200 | application/octet-stream | [$DONE]
            202 | application/json         | $DONE
            201 | application/vnd.x+json   | $DONE
            """)
    void theBodyDecidesAndNotItsLabel(int status, String type, String text) throws Exception {
        onCall = body(status, type, text + "\n\n");

        assertThat(call().text()).isEqualTo("done");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"code": -32600, "message": "bad"} | null
            {"message": "bad"}                 | $ID
            "bad"                              | $ID
            """)
    void errorsOfAllFormsAreReported(String error, String responseId) {
        onCall = (_, id, out) -> ScriptedServer.write(
                out, 200, JSON, "{\"id\":" + responseId.replace("$ID", id) + ",\"error\":" + error + "}");

        assertThat(failure().title()).isEqualTo("Tool error");
        assertThat(failure().detail()).contains("bad");
    }

    @Test
    void requestsOfTheServerAreAnswered() throws Exception {
        onCall = (_, id, out) -> ScriptedServer.write(out, 200, EVENTS, """
                data: {"jsonrpc":"2.0","id":"p","method":"ping"}

                data: {"jsonrpc":"2.0","id":9,"method":"sampling/createMessage","params":{}}

                data: {"jsonrpc":"2.0","id":10,"method":"roots/list"}

                data: %s

                """.formatted(response(id, DONE)));

        assertThat(call().text()).isEqualTo("done");

        assertThat(requests("\"id\":\"p\"").getFirst().body()).contains("\"result\":{}");
        assertThat(requests("\"id\":9").getFirst().body()).contains("-32601");
        assertThat(requests("\"id\":10").getFirst().body()).contains("-32601");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 202, 204, 400, 405, 500})
    void anyAnswerToANotificationIsAccepted(int status) throws Exception {
        onNotification = body(status, "text/plain", status == 204 ? "" : "accepted");

        assertThat(call().text()).isEqualTo("done");
    }

    @Test
    void partsOfAllTypesAreKept() throws Exception {
        onCall = result("""
                {"content": [
                  {"type": "text", "text": "one"}, null, "two", 3,
                  {"type": "resource_link", "uri": "file:///a", "name": "A"},
                  {"type": "resource", "resource": {"uri": "file:///b", "text": "inner"}},
                  {"type": "resource", "resource": {"uri": "file:///c", "blob": "AAE="}},
                  {"type": "audio", "mimeType": "audio/wav", "data": "AAEC"},
                  {"type": "image", "data": "data:image/png;base64,AAEC\\nAwQ="},
                  {"type": "tool_use", "input": {"x": 1.50}}],
                 "structuredContent": {"rows": [1, 2]}}""");

        ToolOutcome outcome = call();

        assertThat(outcome.text()).isEqualTo("""
                one
                two
                3
                {"type":"resource_link","uri":"file:///a","name":"A"}
                inner
                {"type":"tool_use","input":{"x":1.50}}""");
        assertThat(outcome.files()).extracting(file -> file.bytes().length).containsExactly(2, 3, 5);
        assertThat(outcome.files())
                .extracting(ToolOutcome.OutcomeFile::contentType)
                .containsExactly("application/octet-stream", "audio/wav", "application/octet-stream");
        assertThat(outcome.truncated(1_000)).contains("one").contains("{\"rows\":[1,2]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"content": [{"type": "text", "text": "2 rows"}], "structuredContent": {"rows": [1]}} | 2 rows\\n{"rows":[1]}
            {"content": [], "structuredContent": {"rows": [1]}}                                    | {"rows":[1]}
            {"structuredContent": {"rows": [1]}}                                                   | {"rows":[1]}
            {"content": [{"type": "text", "text": "{\\"a\\": 1}"}], "structuredContent": {"a": 1}} | {"a": 1}
            {"content": [{"type": "text", "text": "5"}], "structuredContent": {"result": 5}}       | 5
            {"content": [{"type": "text", "text": "hi"}], "structuredContent": {"result": "hi"}}   | hi
            {"content": "plain"}                                                                   | plain
            {"content": {"type": "text", "text": "single"}}                                        | single
            {"toolResult": {"a": 1}}                                                               | {"toolResult":{"a":1}}
            "bare"                                                                                 | bare
            {"content": null, "isError": "false"}                                                  | [The tool returned nothing.]
            """)
    void aModelSeesAllOfTheResult(String result, String text) throws Exception {
        onCall = result(result);

        assertThat(call().truncated(1_000)).isEqualTo(text.replace("\\n", "\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"isError\": \"true\", \"content\": [{\"type\": \"text\", \"text\": \"broken\"}]}",
                "{\"isError\": true, \"structuredContent\": {\"reason\": \"broken\"}}",
                "{\"isError\": true, \"content\": \"broken\"}",
            })
    void aFailedCallSaysWhy(String result) {
        onCall = result(result);

        assertThat(failure().detail()).contains("The tool failed:").contains("broken");
    }

    @Test
    void anUnreadableEntryOfTheListIsSkipped() throws Exception {
        onList = result("""
                {"tools": [null, 7, {"description": "nameless"}, {"name": 5},
                  {"name": "a", "inputSchema": null, "title": 3, "description": ["x"], "annotations": "x"},
                  {"name": "b"},
                  {"name": "c", "inputSchema": [], "outputSchema": "none"},
                  {"name": "d", "inputSchema": {"type": "string", "properties": {"ok": true, "required": ["x"]}}}]}""");

        ToolDiscovery found = discover();

        assertThat(found.tools()).extracting(DiscoveredTool::name).containsExactly("a", "b", "c", "d");
        assertThat(found.tools())
                .extracting(tool -> tool.inputSchema().get("type"))
                .containsOnly("object");
        assertThat(found.warnings()).hasSize(4);
        assertThat(found.warnings().getFirst()).contains("not a tool");
    }

    @Test
    void schemasWithReferencesAreResolved() throws Exception {
        onList = result("""
                {"tools": [{"name": "a", "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema",
                  "$defs": {"P": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}},
                  "properties": {"p": {"$ref": "#/$defs/P", "description": "A point"}}}}]}""");

        assertThat(StrictJson.write(discover().tools().getFirst().inputSchema()))
                .contains("\"x\":{\"type\":\"integer\"}", "\"required\":[\"x\"]", "\"description\":\"A point\"")
                .doesNotContain("$ref", "$defs");
    }

    @Test
    void namesWithDotsSlashesAndManyCharactersAreKept() throws Exception {
        String name = "files.read/v1_" + "x".repeat(80);
        onList = result("{\"tools\": [{\"name\": \"" + name + "\"}]}");

        assertThat(discover().tools()).extracting(DiscoveredTool::name).containsExactly(name);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            same  | 1
            ''    | 1
            7     | 1
            """)
    void aCursorThatRepeatsEndsTheList(String cursor, int tools) throws Exception {
        onList = result("{\"tools\": [{\"name\": \"a\"}], \"nextCursor\": \"" + cursor + "\"}");

        assertThat(discover().tools()).hasSize(tools);
        assertThat(discover().warnings()).isEmpty();
        assertThat(requests("tools/list")).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void anEmptyCursorLeadsToTheNextPage() throws Exception {
        onList = (request, id, out) -> ScriptedServer.write(
                out,
                200,
                JSON,
                response(
                        id,
                        request.body().contains("cursor")
                                ? "{\"tools\": [{\"name\": \"b\"}], \"nextCursor\": null}"
                                : "{\"tools\": [{\"name\": \"a\"}], \"nextCursor\": \"\"}"));

        assertThat(discover().tools()).extracting(DiscoveredTool::name).containsExactly("a", "b");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200 | application/json | {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05","2025-03-26"]}}} | 2025-03-26
            400 | application/json | {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid protocol version","data":{"supported":["2024-06-18"]}}}                  | 2024-06-18
            400 | text/plain       | Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26, 2024-11-05)                                        | 2025-06-18
            200 | application/json | {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"protocolVersion is unknown"}}                                                   | 2024-11-05
            """)
    void aServerThatRefusesTheVersionIsAskedForItsOwn(int status, String type, String refusal, String version)
            throws Exception {
        onInitialize = (request, id, out) -> {
            if (request.body().contains("2025-11-25")) {
                ScriptedServer.write(out, status, type, refusal);
            } else {
                result(INITIALIZED.replace("2025-11-25", version)).to(request, id, out);
            }
        };

        assertThat(call().text()).isEqualTo("done");
        assertThat(requests("tools/call").getFirst().header("MCP-Protocol-Version"))
                .isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"protocolVersion\": \"2023-01-01\"}",
                "{\"protocolVersion\": \"2026-07-28\", \"capabilities\": null}",
                "{\"protocolVersion\": 3}",
                "{}",
            })
    void aServerWithAnotherVersionOrNoneIsUsed(String result) throws Exception {
        onInitialize = result(result);

        assertThat(call().text()).isEqualTo("done");
    }
}
