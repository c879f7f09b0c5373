package dev.parley.tool.mcp;

import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolHttpResponse;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * MCP over the standard streams of a program configured by the operator. The child process gets an empty environment
 * and ends with the session; its standard error is discarded, and so are lines that are no messages.
 */
final class StdioExchange implements McpExchange {
    private final Process process;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile @Nullable AwaitedLine awaited;

    /** The request in progress; a session has at most one. */
    private record AwaitedLine(Object id, CompletableFuture<Map<?, ?>> response) {}

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

    @Override
    public Map<?, ?> request(Map<String, ?> request, Deadline deadline) throws ToolFailure, InterruptedException {
        CompletableFuture<Map<?, ?>> response = new CompletableFuture<>();
        awaited = new AwaitedLine(String.valueOf(request.get("id")), response);
        // Pending responses can no longer arrive once the program exits.
        var _ = ended.whenComplete((_, failed) -> response.completeExceptionally(failed));
        try {
            write(request);
            return response.get(deadline.left().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw ToolFailure.transientFailure("Time limit", "The MCP server did not respond in time.", null);
        } catch (IOException _) {
            throw lost().reason();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof McpRequestFailure failure ? failure.reason() : lost().reason();
        }
    }

    @Override
    public void send(Map<String, ?> message, Deadline deadline) {
        try {
            write(message);
        } catch (IOException _) {
            // Shows with the next request.
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private void write(Map<String, ?> message) throws IOException {
        byte[] line = StrictJson.writeBytes(message);
        synchronized (process) {
            OutputStream out = process.getOutputStream();
            out.write(line);
            out.write('\n');
            out.flush();
        }
    }

    private void listen() {
        try (InputStream in = new BufferedInputStream(process.getInputStream())) {
            for (String line = line(in); line != null; line = line(in)) {
                for (Map<?, ?> message : JsonRpc.parse(line).orElse(List.of())) {
                    receive(message);
                }
            }
            ended.completeExceptionally(lost());
        } catch (IOException failed) {
            ended.completeExceptionally(failed instanceof McpRequestFailure ? failed : lost());
        } finally {
            close();
        }
    }

    private void receive(Map<?, ?> message) throws IOException {
        AwaitedLine request = awaited;
        if (request != null && JsonRpc.isResponse(message, request.id())) {
            request.response().complete(message);
            return;
        }
        Map<String, Object> answer = JsonRpc.answer(message).orElse(null);
        if (answer != null) {
            write(answer);
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
                        ToolFailure.permanent("Answer too large", "The MCP server's response is too large."));
            }
            bytes.write(b);
        }
        return null;
    }

    private static McpRequestFailure lost() {
        return new McpRequestFailure(
                ToolFailure.transientFailure("Connection lost", "The MCP server's program exited.", null));
    }
}
