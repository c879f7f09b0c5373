package dev.parley.tool.mcp;

import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressException.EgressFailureKind;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolHttpResponse;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * MCP over streamable HTTP through the egress client: every message is a POST, answered with one message or a stream of
 * events. A stream that ends without the response, after an event with an id, is resumed by GET; the request is never
 * sent again. Opens no separate stream for messages from the server, because tools do not need it.
 */
final class HttpExchange implements McpExchange {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_ANSWERS = 100;

    /** A byte order mark and blank space before a body's first character. */
    private static final int MAX_START = 64;

    private static final Pattern LOST_SESSION =
            Pattern.compile("(?i)session[ _-]?id|(?:no|valid|invalid|unknown) session|session (?:is |was |has )?"
                    + "(?:not found|not valid|invalid|unknown|expired|terminated|closed)");

    private final EgressClient egress;
    private final String url;
    private final ToolCredentials credentials;
    private final Clock clock;
    private volatile @Nullable String session;
    private volatile @Nullable String version;
    private volatile boolean closed;

    HttpExchange(EgressClient egress, String url, ToolCredentials credentials, Clock clock) {
        this.egress = egress;
        this.credentials = credentials.withDefaultKeyLocation();
        this.url = this.credentials.addressed(url);
        this.clock = clock;
    }

    /** A request whose response is awaited. */
    private final class AwaitedResponse {
        private final Object id;
        private final Deadline deadline;
        private final boolean hadSession = session != null;
        private final EventStream events = new EventStream();
        private @Nullable Map<?, ?> response;
        private boolean unreadable;
        private int answers;

        AwaitedResponse(Object id, Deadline deadline) {
            this.id = id;
            this.deadline = deadline;
        }

        boolean isResumable() {
            return events.lastId().isPresent();
        }

        /** Handles the messages in a text and returns whether to read on. */
        boolean receive(String text) throws IOException {
            List<Map<?, ?>> messages = JsonRpc.parse(text).orElse(List.of());
            unreadable |= messages.isEmpty();
            for (Map<?, ?> message : messages) {
                if (JsonRpc.isResponse(message, id)) {
                    response = message;
                    return false;
                }
                Map<String, Object> answer = JsonRpc.answer(message).orElse(null);
                if (answer != null && ++answers <= MAX_ANSWERS) {
                    try {
                        send(answer, deadline);
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                        throw new InterruptedIOException();
                    }
                }
            }
            return true;
        }
    }

    @Override
    public Map<?, ?> request(Map<String, ?> request, Deadline deadline)
            throws ToolFailure, InterruptedException, McpSession.SessionGoneException {
        var awaited = new AwaitedResponse(String.valueOf(request.get("id")), deadline);
        try {
            return response(post(request, deadline), awaited);
        } catch (McpSession.SessionGoneException gone) {
            if (awaited.isResumable()) {
                throw connectionLost("The MCP server lost the session during the request.");
            }
            throw gone;
        } catch (McpRequestFailure failed) {
            // A call that can be resumed may have taken effect.
            throw awaited.isResumable() ? resultLost(failed.reason().detail()) : failed.reason();
        } catch (EgressException failed) {
            throw awaited.isResumable() ? resultLost(failed.detail()) : ToolFailure.of(failed);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void send(Map<String, ?> message, Deadline deadline) throws InterruptedException {
        Duration left = deadline.left();
        try {
            boolean _ = egress.stream(
                    post(message, deadline).withDeadline(left.compareTo(ANSWER_TIMEOUT) < 0 ? left : ANSWER_TIMEOUT),
                    (head, _) -> readSession(head));
        } catch (IOException _) {
            // Shows with the next request.
        }
    }

    @Override
    public void agree(String agreed) {
        version = isVisible(agreed) ? agreed : null;
    }

    @Override
    public void close() {
        if (!closed && session != null) {
            Thread.ofVirtual().name("mcp-close").start(this::closeSession);
        }
        closed = true;
    }

    private Map<?, ?> response(EgressRequest first, AwaitedResponse awaited) throws IOException, InterruptedException {
        EgressRequest next = first;
        while (true) {
            try {
                boolean _ = egress.stream(next, (head, body) -> read(head, body, awaited));
            } catch (EgressException cut) {
                if (!awaited.isResumable() || cut.kind() != EgressFailureKind.CONNECTION) {
                    throw cut;
                }
            }
            if (awaited.response != null) {
                return awaited.response;
            }
            String lastId = awaited.events.lastId().orElseThrow(() -> withoutResult(awaited));
            Duration left = awaited.deadline.left();
            if (awaited.events.retry().compareTo(left) >= 0) {
                throw McpRequestFailure.invalid("The MCP server did not respond in time.");
            }
            Thread.sleep(awaited.events.retry());
            next = request("GET", awaited.deadline)
                    .withHeader("Accept", "text/event-stream")
                    .withHeader("Last-Event-ID", lastId);
        }
    }

    private static McpRequestFailure withoutResult(AwaitedResponse awaited) {
        return awaited.unreadable
                ? McpRequestFailure.invalid("The MCP server sent something that is not a JSON-RPC message.")
                : new McpRequestFailure(connectionLost("The MCP server ended its response without a result."));
    }

    private static ToolFailure connectionLost(String detail) {
        return ToolFailure.transientFailure("Connection lost", detail, null);
    }

    private static ToolFailure resultLost(String detail) {
        return ToolFailure.permanent(
                "Result lost", "The MCP server accepted the request, but its result could not be fetched: " + detail);
    }

    private boolean read(EgressResponse.Head head, InputStream body, AwaitedResponse awaited) throws IOException {
        if (!head.isSuccess()) {
            return refused(head, body, awaited);
        }
        boolean _ = readSession(head);
        InputStream in = new BufferedInputStream(body);
        int first = first(in);
        if (first == '{' || first == '[') {
            return awaited.receive(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        // Servers mislabel events as JSON or as plain text, and the reverse.
        boolean isStream =
                head.header("Content-Type").orElse("").toLowerCase(Locale.ROOT).startsWith("text/event-stream");
        if (isStream || first < 0 || "deir:".indexOf(first) >= 0) {
            awaited.events.read(in, awaited::receive);
            return true;
        }
        throw McpRequestFailure.invalid("The address does not respond like an MCP server.");
    }

    /** The first character that is not blank, which stays unread; -1 if there is none. */
    private static int first(InputStream in) throws IOException {
        in.mark(MAX_START);
        int first = ' ';
        for (int i = 0; i < MAX_START && (first >= 0 && (first <= ' ' || first >= 0x80)); i++) {
            first = in.read();
        }
        in.reset();
        return first;
    }

    private boolean readSession(EgressResponse.Head head) {
        head.header("Mcp-Session-Id")
                .filter(id -> id.length() <= 1_000 && isVisible(id))
                .ifPresent(id -> session = id);
        return true;
    }

    /**
     * A restarted server returns 404, as specified, or another status and names the session. While a stream is resumed,
     * a server that is busy is asked again, and a bare 404 may mean that the server has no GET.
     */
    private boolean refused(EgressResponse.Head head, InputStream body, AwaitedResponse awaited) throws IOException {
        if (awaited.isResumable() && ToolHttpResponse.isTransientStatus(head.status())) {
            return true;
        }
        var response = new EgressResponse(head, body.readNBytes(4_000));
        boolean namesSession = (head.status() == 400 || head.status() == 404 || head.status() == 410)
                && LOST_SESSION.matcher(response.text()).find();
        boolean sessionGone = awaited.hadSession && (namesSession || (head.status() == 404 && !awaited.isResumable()));
        ToolFailure reason = ToolHttpResponse.failure(response, credentials, clock);
        throw sessionGone ? new McpSession.SessionGoneException(reason) : new McpRequestFailure(reason);
    }

    private EgressRequest post(Map<String, ?> message, Deadline deadline) {
        return request("POST", deadline)
                .withHeader("Content-Type", "application/json")
                .withHeader("Accept", "application/json, text/event-stream")
                .withBody(StrictJson.writeBytes(message));
    }

    private EgressRequest request(String method, Deadline deadline) {
        EgressRequest request = EgressRequest.get(url)
                .withMethod(method)
                .withDeadline(deadline.left())
                .withMaxResponseBytes(ToolHttpResponse.MAX_BYTES)
                .withHeaders(credentials.asHeaders())
                .withTraceContext();
        String sessionId = session;
        if (sessionId != null) {
            request = request.withHeader("Mcp-Session-Id", sessionId);
        }
        String agreed = version;
        return agreed == null ? request : request.withHeader("MCP-Protocol-Version", agreed);
    }

    private void closeSession() {
        try {
            var _ = egress.execute(request("DELETE", Deadline.in(CLOSE_TIMEOUT)));
        } catch (IOException _) {
            // The server expires the session by itself.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isVisible(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }
}
