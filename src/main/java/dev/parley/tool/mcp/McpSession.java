package dev.parley.tool.mcp;

import dev.parley.egress.EgressException;
import dev.parley.tool.Deadline;
import dev.parley.tool.SchemaTree;
import dev.parley.tool.ToolFailure;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A session with an MCP server, used by one caller at a time. Any failure ends it. */
final class McpSession implements AutoCloseable {
    /** The client library's time-outs, so long that they never apply. */
    private static final Duration CLIENT_TIMEOUT = Duration.ofHours(2);

    private static final int MAX_PAGES = 50;
    private static final int MAX_TOOLS = 5_000;
    private static final int EXCERPT = 300;

    private final McpTransport exchange;
    private final McpAsyncClient client;

    /** The server dropped the session before it processed the request, so a new session may retry. */
    static final class SessionGoneException extends Exception {
        private static final long serialVersionUID = 1;

        SessionGoneException(ToolFailure reason) {
            super(reason);
        }
    }

    private McpSession(McpTransport exchange) {
        this.exchange = exchange;
        this.client = McpClient.async(exchange)
                .requestTimeout(CLIENT_TIMEOUT)
                .initializationTimeout(CLIENT_TIMEOUT)
                .clientInfo(McpSchema.Implementation.builder("parley", "1").build())
                .capabilities(McpSchema.ClientCapabilities.builder().build())
                .jsonSchemaValidator(new NoopSchemaValidator())
                .enableCallToolSchemaCaching(false)
                .build();
    }

    static McpSession open(McpTransport exchange, Deadline deadline) throws ToolFailure, InterruptedException {
        McpSession session = new McpSession(exchange);
        try {
            var _ = session.await(session.client.initialize(), deadline);
            return session;
        } catch (SessionGoneException failed) {
            throw failed.getCause() instanceof ToolFailure reason ? reason : lost();
        }
    }

    List<McpSchema.Tool> tools(Deadline deadline) throws ToolFailure, InterruptedException, SessionGoneException {
        List<McpSchema.Tool> tools = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        String cursor = null;
        for (int page = 0; page < MAX_PAGES && tools.size() < MAX_TOOLS; page++) {
            McpSchema.ListToolsResult result = await(client.listTools(cursor), deadline);
            if (result.tools() != null) {
                tools.addAll(result.tools());
            }
            cursor = result.nextCursor();
            if (cursor == null || !seen.add(cursor)) {
                break;
            }
        }
        return tools;
    }

    McpSchema.CallToolResult call(
            String tool, Map<String, @Nullable Object> arguments, String idempotencyKey, Deadline deadline)
            throws ToolFailure, InterruptedException, SessionGoneException {
        return await(
                client.callTool(
                        new McpSchema.CallToolRequest(tool, arguments, Map.of("Idempotency-Key", idempotencyKey))),
                deadline);
    }

    @Override
    public void close() {
        exchange.close();
        client.close();
    }

    private <T> T await(Mono<T> response, Deadline deadline)
            throws ToolFailure, InterruptedException, SessionGoneException {
        if (exchange instanceof HttpExchange http) {
            http.until(deadline);
        }
        CompletableFuture<T> future = response.toFuture();
        if (exchange instanceof StdioExchange stdio) {
            var _ = stdio.ended().whenComplete((_, failed) -> future.completeExceptionally(failed));
        }
        boolean done = false;
        try {
            T result = future.get(deadline.left().toMillis(), TimeUnit.MILLISECONDS);
            if (result == null) {
                throw ToolFailure.permanent("Invalid answer", "The MCP server sent an empty result.");
            }
            done = true;
            return result;
        } catch (TimeoutException _) {
            throw ToolFailure.transientFailure("Time limit", "The MCP server did not respond in time.", null);
        } catch (ExecutionException failed) {
            throw translated(failed);
        } finally {
            if (!done) {
                future.cancel(true);
                close();
            }
        }
    }

    private static ToolFailure translated(ExecutionException failed) throws SessionGoneException {
        for (Throwable cause = failed.getCause(); cause != null; cause = cause.getCause()) {
            switch (cause) {
                case McpTransport.McpRequestFailure failure -> {
                    if (failure.sessionGone()) {
                        throw new SessionGoneException(failure.reason());
                    }
                    return failure.reason();
                }
                case EgressException egress -> {
                    return ToolFailure.of(egress);
                }
                case McpError refused -> {
                    return refused(refused);
                }
                case TimeoutException _ -> {
                    return ToolFailure.transientFailure("Time limit", "The MCP server did not respond in time.", null);
                }
                default -> {
                    // The client library wraps the cause, sometimes twice.
                }
            }
        }
        return ToolFailure.permanent("Invalid answer", "The MCP server's response is invalid.");
    }

    private static ToolFailure refused(McpError error) {
        String reason =
                error.getJsonRpcError() == null ? null : error.getJsonRpcError().message();
        return ToolFailure.permanent(
                "Tool error",
                "The MCP server refused the request: "
                        + SchemaTree.shortened(
                                reason == null ? "no reason given" : reason.replace('\n', ' '), EXCERPT));
    }

    private static ToolFailure lost() {
        return ToolFailure.transientFailure("Connection lost", "The MCP server ended the session.", null);
    }

    /** Skips the server's own schema: tool results are validated by the value rules. */
    private static final class NoopSchemaValidator implements JsonSchemaValidator {
        @Override
        public ValidationResponse validate(Map<String, Object> schema, Object content) {
            return ValidationResponse.asValid(null);
        }
    }
}
