package dev.parley.tool.mcp;

import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import dev.parley.tool.Deadline;
import dev.parley.tool.ToolCredentials;
import dev.parley.tool.ToolFailure;
import dev.parley.tool.ToolHttpResponse;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * MCP over streamable HTTP through the egress client: every message is a POST, answered with one message or a stream of
 * events. Opens no separate stream for messages from the server, because tools do not need it.
 */
final class HttpExchange extends McpTransport {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final EgressClient egress;
    private final String url;
    private final ToolCredentials credentials;
    private final Clock clock;
    private final Set<Thread> inProgress = ConcurrentHashMap.newKeySet();
    private volatile Deadline deadline;
    private volatile @Nullable String session;
    private volatile @Nullable String version;
    private volatile boolean closed;

    HttpExchange(EgressClient egress, String url, ToolCredentials credentials, Clock clock, Deadline deadline) {
        this.egress = egress;
        this.credentials = credentials.withDefaultKeyLocation();
        this.url = this.credentials.addressed(url);
        this.clock = clock;
        this.deadline = deadline;
    }

    /** Sets the deadline for responses to subsequent messages. */
    void until(Deadline next) {
        deadline = next;
    }

    @Override
    public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message) {
        return Mono.create(sink -> {
            Thread thread = Thread.ofVirtual().name("mcp").unstarted(() -> {
                try {
                    exchange(message);
                    sink.success();
                } catch (Throwable failed) {
                    sink.error(failed);
                } finally {
                    inProgress.remove(Thread.currentThread());
                }
            });
            inProgress.add(thread);
            thread.start();
        });
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        inProgress.forEach(Thread::interrupt);
        if (session != null) {
            Thread.ofVirtual().name("mcp-close").start(this::closeSession);
        }
    }

    private void exchange(McpSchema.JSONRPCMessage message) throws IOException, InterruptedException {
        EgressRequest request = request("POST")
                .withHeader("Content-Type", "application/json")
                .withHeader("Accept", "application/json, text/event-stream")
                .withBody(JSON.writeValueAsBytes(message))
                .withDeadline(deadline.left())
                .withMaxResponseBytes(ToolHttpResponse.MAX_BYTES);
        boolean hadSession = session != null;
        Object awaited = message instanceof McpSchema.JSONRPCRequest asked ? asked.id() : null;
        boolean answered = egress.stream(request, (head, body) -> read(head, body, awaited, hadSession));
        if (awaited != null && !answered) {
            throw new McpRequestFailure(
                    ToolFailure.transientFailure(
                            "Connection lost", "The MCP server ended its response without a result.", null),
                    false);
        }
    }

    private boolean read(EgressResponse.Head head, InputStream body, @Nullable Object awaited, boolean hadSession)
            throws IOException {
        if (!head.isSuccess()) {
            throw refused(head, body, hadSession);
        }
        head.header("Mcp-Session-Id").filter(HttpExchange::isSession).ifPresent(id -> session = id);
        if (awaited == null) {
            return true;
        }
        String type = head.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (type.startsWith("text/event-stream")) {
            boolean[] answered = {false};
            EventStream.read(body, data -> {
                answered[0] = receive(data, awaited);
                return !answered[0];
            });
            return answered[0];
        }
        if (type.startsWith("application/json")) {
            return receive(new String(body.readAllBytes(), StandardCharsets.UTF_8), awaited);
        }
        throw new McpRequestFailure(
                ToolFailure.permanent("Invalid answer", "The address does not respond like an MCP server."), false);
    }

    /** Delivers a message and returns whether it is the awaited answer. */
    private boolean receive(String json, Object awaited) throws IOException {
        McpSchema.JSONRPCMessage message = parse(json);
        boolean answered = false;
        if (message instanceof McpSchema.JSONRPCResponse response && awaited.equals(response.id())) {
            answered = true;
            agreeOnVersion(response);
        }
        deliver(message);
        return answered;
    }

    private void agreeOnVersion(McpSchema.JSONRPCResponse response) {
        if (response.result() instanceof Map<?, ?> result
                && result.get("protocolVersion") instanceof String agreed
                && protocolVersions().contains(agreed)) {
            version = agreed;
        }
    }

    /** A restarted server returns 404, as specified, or 400. */
    private McpRequestFailure refused(EgressResponse.Head head, InputStream body, boolean hadSession)
            throws IOException {
        boolean sessionGone = hadSession && (head.status() == 404 || head.status() == 400);
        try {
            ToolHttpResponse.requireSuccess(new EgressResponse(head, body.readNBytes(4_000)), credentials, clock);
            throw new IllegalStateException("a refusal of status " + head.status());
        } catch (ToolFailure reason) {
            return new McpRequestFailure(reason, sessionGone);
        }
    }

    private EgressRequest request(String method) {
        EgressRequest request = EgressRequest.get(url).withMethod(method);
        for (EgressRequest.Header header : credentials.asHeaders()) {
            request = request.withHeader(header.name(), header.value());
        }
        String sessionId = session;
        if (sessionId != null) {
            request = request.withHeader("Mcp-Session-Id", sessionId);
        }
        String agreed = version;
        return agreed == null ? request : request.withHeader("MCP-Protocol-Version", agreed);
    }

    private void closeSession() {
        try {
            var _ = egress.execute(request("DELETE").withDeadline(CLOSE_TIMEOUT));
        } catch (IOException _) {
            // The server expires the session by itself.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isSession(String id) {
        return id.length() <= 1_000 && id.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }
}
