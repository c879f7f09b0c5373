package dev.parley.tool.mcp;

import dev.parley.tool.ToolFailure;
import dev.parley.tool.ToolHttpResponse;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * MCP over the standard streams of a program configured by the operator. The child process gets an empty environment
 * and ends with the session; its standard error is discarded.
 */
final class StdioExchange extends McpTransport {
    private final Process process;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private StdioExchange(Process process) {
        this.process = process;
        Thread.ofVirtual().name("mcp-stdio").start(this::listen);
    }

    static StdioExchange start(List<String> command) throws ToolFailure {
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        try {
            return new StdioExchange(builder.start());
        } catch (IOException _) {
            throw ToolFailure.permanent("Not available", "The command of the MCP server could not be started.");
        }
    }

    /** Fails when the program exits, because pending responses can no longer arrive. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message) {
        return Mono.fromCallable(() -> {
            byte[] line = JSON.writeValueAsBytes(message);
            synchronized (process) {
                OutputStream out = process.getOutputStream();
                out.write(line);
                out.write('\n');
                out.flush();
            }
            return null;
        });
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private void listen() {
        try (InputStream in = new BufferedInputStream(process.getInputStream())) {
            for (String line = line(in); line != null; line = line(in)) {
                if (!line.isBlank()) {
                    deliver(parse(line));
                }
            }
            ended.completeExceptionally(lost("The MCP server's program exited."));
        } catch (IOException failed) {
            ended.completeExceptionally(
                    failed instanceof McpRequestFailure ? failed : lost("The MCP server's program exited."));
        } finally {
            close();
        }
    }

    private static @Nullable String line(InputStream in) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                return bytes.toString(StandardCharsets.UTF_8);
            }
            if (bytes.size() >= ToolHttpResponse.MAX_BYTES) {
                throw new McpRequestFailure(
                        ToolFailure.permanent("Answer too large", "The MCP server's response is too large."), false);
            }
            bytes.write(b);
        }
        return null;
    }

    private static McpRequestFailure lost(String detail) {
        return new McpRequestFailure(ToolFailure.transientFailure("Connection lost", detail, null), false);
    }
}
