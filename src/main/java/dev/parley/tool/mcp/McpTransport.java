package dev.parley.tool.mcp;

import dev.parley.tool.ToolFailure;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.ProtocolVersions;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Connects to an MCP server. Replaces the client library's transports, which do not apply the egress rules. */
abstract class McpTransport implements McpClientTransport {
    /** Numbers keep every digit; values nested deeper than the API's limit are rejected. */
    static final McpJsonMapper JSON = new JacksonMcpJsonMapper(JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(dev.parley.http.StrictJson.MAX_DEPTH)
                            .maxNumberLength(1_000)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build());

    private volatile Function<Mono<McpSchema.JSONRPCMessage>, Mono<McpSchema.JSONRPCMessage>> handler =
            message -> message;

    /** Carries a failure through the client library. */
    static final class McpRequestFailure extends IOException {
        private static final long serialVersionUID = 1;

        private final transient ToolFailure reason;
        private final boolean sessionGone;

        McpRequestFailure(ToolFailure reason, boolean sessionGone) {
            super(reason.detail());
            this.reason = reason;
            this.sessionGone = sessionGone;
        }

        ToolFailure reason() {
            return reason;
        }

        /** Whether the server dropped the session, and so has not processed the request. */
        boolean sessionGone() {
            return sessionGone;
        }
    }

    @Override
    public Mono<Void> connect(Function<Mono<McpSchema.JSONRPCMessage>, Mono<McpSchema.JSONRPCMessage>> receiver) {
        handler = receiver;
        return Mono.empty();
    }

    @Override
    public <T> T unmarshalFrom(@Nullable Object data, TypeRef<T> type) {
        return JSON.convertValue(data, type);
    }

    @Override
    public List<String> protocolVersions() {
        return List.of(
                ProtocolVersions.MCP_2024_11_05,
                ProtocolVersions.MCP_2025_03_26,
                ProtocolVersions.MCP_2025_06_18,
                ProtocolVersions.MCP_2025_11_25);
    }

    /** Cancels pending requests and, if possible, notifies the server. */
    @Override
    public abstract void close();

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromRunnable(this::close);
    }

    /** Parses a message of the server. */
    static McpSchema.JSONRPCMessage parse(String json) throws IOException {
        try {
            return McpSchema.deserializeJsonRpcMessage(JSON, json);
        } catch (IOException | RuntimeException _) {
            throw new McpRequestFailure(
                    ToolFailure.permanent(
                            "Invalid answer", "The MCP server sent something that is not a JSON-RPC message."),
                    false);
        }
    }

    /** Passes a message of the server to the client library, which may send the next request before this returns. */
    void deliver(McpSchema.JSONRPCMessage message) {
        handler.apply(Mono.just(message)).subscribe(_ -> {}, _ -> {});
    }
}
