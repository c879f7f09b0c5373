package dev.parley.tool.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.egress.ScriptedServer;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that are resumed, and sessions that are lost: a tool is never called twice. */
class McpResumptionTest extends ScriptedMcp {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "id: 7\ndata:\n\n",
                "id: 7\ndata: \nretry: 120\n\n",
                "retry: 120\nid:7\ndata\n\n",
                ": hello\n\nid: 7\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n",
            })
    void aStreamThatEndsAfterAPrimingEventIsResumedWithoutASecondCall(String events) throws Exception {
        onCall = body(200, EVENTS, events);
        gets.add(body(503, "text/plain", "busy"));
        gets.add(body(200, EVENTS, "id: 8\ndata:\n\n"));
        gets.add((_, _, out) ->
                ScriptedServer.write(out, 200, EVENTS, "id: 9\ndata: " + response(callId(), DONE) + "\n\n"));

        assertThat(call().text()).isEqualTo("done");

        assertThat(requests("tools/call")).hasSize(1);
        assertThat(requests("GET"))
                .extracting(request -> request.header("Last-Event-ID"))
                .containsExactly("7", "7", "8");
        assertThat(requests("GET"))
                .extracting(request -> request.header("Accept"))
                .containsOnly(EVENTS);
    }

    @Test
    void theDelayThatTheServerAsksForIsKept() throws Exception {
        onCall = body(200, EVENTS, "id: 7\nretry: 1500\ndata:\n\n");
        gets.add((_, _, out) -> ScriptedServer.write(out, 200, EVENTS, "data: " + response(callId(), DONE) + "\n\n"));
        long startedAt = System.nanoTime();

        assertThat(call().text()).isEqualTo("done");

        assertThat(Duration.ofNanos(System.nanoTime() - startedAt)).isGreaterThanOrEqualTo(Duration.ofMillis(1_500));
    }

    @Test
    void aConnectionCutAfterAnEventWithAnIdIsResumed() throws Exception {
        onCall = (_, _, out) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "d\r\nid: 7\ndata:\n\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            out.flush();
            throw new IOException("cut");
        };
        gets.add((_, _, out) -> ScriptedServer.write(out, 200, EVENTS, "data: " + response(callId(), DONE) + "\n\n"));

        assertThat(call().text()).isEqualTo("done");
        assertThat(requests("tools/call")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"405, false", "404, false", "401, false", "400, true", "404, true", "405, true", "410, true"})
    void aResultThatCannotBeFetchedIsAPermanentFailure(int status, boolean hasSession) {
        onInitialize = hasSession ? inSession("s") : onInitialize;
        onCall = body(200, EVENTS, "id: 7\nretry: 100\ndata:\n\n");
        gets.add(body(status, "text/plain", "Not here"));

        ToolFailure failed = failure();

        assertThat(failed.title()).isEqualTo("Result lost");
        assertThat(failed.isTransient()).isFalse();
        assertThat(failed.detail()).contains("accepted the request");
        assertThat(requests("tools/call")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 410})
    void aSessionLostDuringACallIsATransientFailureAsALostConnectionIs(int status) {
        onInitialize = inSession("s");
        onCall = body(200, EVENTS, "id: 7\nretry: 100\ndata:\n\n");
        gets.add(body(status, "text/plain", "Session not found"));

        ToolFailure failed = failure();

        assertThat(failed.title()).isEqualTo("Connection lost");
        assertThat(failed.isTransient()).isTrue();
        assertThat(requests("tools/call")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            404 | gone
            404 | {"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}
            400 | Bad Request: No valid session ID provided
            400 | {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Invalid session"}}
            410 | The session has expired.
            """)
    void anExpiredSessionIsReplacedOnce(int status, String text) throws Exception {
        int[] made = {0};
        onInitialize = (_, id, out) ->
                ScriptedServer.write(out, 200, JSON, response(id, INITIALIZED), "Mcp-Session-Id: s" + ++made[0]);
        ProviderAccess provider = provider();
        source.call(provider, "go", "{}", new ToolCall(Map.of(), "key", in(20)));
        onCall = (request, id, out) -> {
            if (request.header("Mcp-Session-Id").equals("s1")) {
                ScriptedServer.write(out, status, JSON, text);
            } else {
                result(DONE).to(request, id, out);
            }
        };

        assertThat(source.call(provider, "go", "{}", new ToolCall(Map.of(), "key", in(20)))
                        .text())
                .isEqualTo("done");
        assertThat(made[0]).isEqualTo(2);

        onCall = body(404, "text/plain", "gone");
        assertThatThrownBy(() -> source.call(provider, "go", "{}", new ToolCall(Map.of(), "key", in(20))))
                .isInstanceOf(ToolFailure.class);
        assertThat(made[0]).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200 | application/json  | {"jsonrpc":"2.0","id":$ID,"error":{"code":-32001,"message":"Session not found"}}
            200 | text/event-stream | data: {"jsonrpc":"2.0","id":$ID,"error":{"code":-32001,"message":"session"}}
            200 | text/event-stream | id: 7
            400 | application/json  | {"jsonrpc":"2.0","id":$ID,"error":{"code":-32602,"message":"Invalid arguments"}}
            410 | text/plain        | The file is gone.
            """)
    void anErrorOfTheToolIsNoLostSession(int status, String type, String text) throws Exception {
        onInitialize = inSession("s");
        ProviderAccess provider = provider();
        source.call(provider, "go", "{}", new ToolCall(Map.of(), "key", in(20)));
        onCall = (_, id, out) -> ScriptedServer.write(out, status, type, text.replace("$ID", id) + "\n\n");
        gets.add((_, _, out) -> ScriptedServer.write(
                out,
                200,
                EVENTS,
                "data: {\"id\":" + callId() + ",\"error\":{\"code\":-32001,\"message\":\"Session not found\"}}\n\n"));

        assertThatThrownBy(() -> source.call(provider, "go", "{}", new ToolCall(Map.of(), "key", in(20))))
                .isInstanceOfSatisfying(ToolFailure.class, failed -> assertThat(failed.isTransient())
                        .isFalse());
        assertThat(requests("tools/call")).hasSize(2);
        assertThat(requests("initialize\"")).hasSize(1);
    }
}
