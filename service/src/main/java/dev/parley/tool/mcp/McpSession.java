package dev.parley.tool.mcp;

import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.SchemaTree;
import dev.parley.tool.source.ToolFailure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A session with an MCP server, used by one caller at a time. Any failure ends it. */
final class McpSession implements AutoCloseable {
    private static final String NEWEST_VERSION = "2025-11-25";
    private static final String OLDEST_VERSION = "2024-11-05";
    private static final Pattern VERSION = Pattern.compile("20[0-9]{2}-[0-9]{2}-[0-9]{2}");
    private static final int MAX_PAGES = 50;
    private static final int MAX_TOOLS = 5_000;
    private static final int EXCERPT = 300;

    private final McpExchange exchange;

    /** The id of the last request; the first is 1, because some servers take 0 for none. */
    private int requests;

    /** The server dropped the session before it processed the request, so a new session may retry. */
    static final class SessionGoneException extends McpRequestFailure {
        private static final long serialVersionUID = 1;

        SessionGoneException(ToolFailure reason) {
            super(reason);
        }
    }

    private McpSession(McpExchange exchange) {
        this.exchange = exchange;
    }

    static McpSession open(McpExchange exchange, Deadline deadline) throws ToolFailure, InterruptedException {
        McpSession session = new McpSession(exchange);
        boolean done = false;
        try {
            session.initialize(deadline);
            done = true;
            return session;
        } catch (SessionGoneException failed) {
            throw failed.reason();
        } finally {
            if (!done) {
                session.close();
            }
        }
    }

    /** The entries of the lists of tools, whatever they are; a server that repeats a page has no further ones. */
    List<@Nullable Object> tools(Deadline deadline) throws ToolFailure, InterruptedException, SessionGoneException {
        List<@Nullable Object> tools = new ArrayList<>();
        Set<@Nullable Object> known = new HashSet<>();
        Set<Object> cursors = new HashSet<>();
        Map<String, Object> page = Map.of();
        for (int i = 0; i < MAX_PAGES && tools.size() < MAX_TOOLS; i++) {
            if (!(request("tools/list", page, deadline) instanceof Map<?, ?> result)) {
                throw ToolFailure.permanent("Invalid answer", "The MCP server sent no list of tools.");
            }
            List<?> entries = result.get("tools") instanceof List<?> list ? list : List.of();
            if (i > 0 && !entries.isEmpty() && known.containsAll(entries)) {
                break;
            }
            tools.addAll(entries);
            known.addAll(entries);
            Object cursor = result.get("nextCursor");
            if (cursor == null || !cursors.add(cursor)) {
                break;
            }
            page = Map.of("cursor", cursor);
        }
        return tools;
    }

    /** The result of a call, whatever it is. */
    Object call(String tool, Map<String, @Nullable Object> arguments, String idempotencyKey, Deadline deadline)
            throws ToolFailure, InterruptedException, SessionGoneException {
        return request(
                "tools/call",
                Map.of("name", tool, "arguments", arguments, "_meta", Map.of("Idempotency-Key", idempotencyKey)),
                deadline);
    }

    @Override
    public void close() {
        exchange.close();
    }

    /** Agrees on a version. Servers should name theirs if they do not know ours; some refuse the request instead. */
    private void initialize(Deadline deadline) throws ToolFailure, InterruptedException, SessionGoneException {
        Object result;
        try {
            result = result(exchange.request(initialization(NEWEST_VERSION), deadline));
        } catch (ToolFailure refused) {
            String version = supported(refused).orElseThrow(() -> refused);
            result = result(exchange.request(initialization(version), deadline));
        }
        if (result instanceof Map<?, ?> members && members.get("protocolVersion") instanceof String agreed) {
            exchange.agree(agreed);
        }
        exchange.send(JsonRpc.message(null, "notifications/initialized", Map.of()), deadline);
    }

    /** The version to ask for after a refusal; empty if it had another reason. */
    private static Optional<String> supported(ToolFailure refused) {
        String reason = refused.detail().toLowerCase(Locale.ROOT);
        if (!reason.contains("protocol") || !reason.contains("version")) {
            return Optional.empty();
        }
        return VERSION.matcher(reason)
                .results()
                .map(MatchResult::group)
                .filter(version -> version.compareTo(NEWEST_VERSION) < 0)
                .max(Comparator.naturalOrder())
                .or(() -> Optional.of(OLDEST_VERSION));
    }

    private Map<String, Object> initialization(String version) {
        return JsonRpc.message(
                ++requests,
                "initialize",
                Map.of(
                        "protocolVersion",
                        version,
                        "capabilities",
                        Map.of(),
                        "clientInfo",
                        Map.of("name", "parley", "version", "1")));
    }

    private Object request(String method, Map<String, ?> params, Deadline deadline)
            throws ToolFailure, InterruptedException, SessionGoneException {
        boolean done = false;
        try {
            Object result = result(exchange.request(JsonRpc.message(++requests, method, params), deadline));
            done = true;
            return result;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private static Object result(Map<?, ?> response) throws ToolFailure {
        Object error = response.get("error");
        if (error != null) {
            Map<?, ?> described = error instanceof Map<?, ?> map ? map : Map.of("message", error);
            throw refused(described);
        }
        Object result = response.get("result");
        if (result == null) {
            throw ToolFailure.permanent("Invalid answer", "The MCP server sent an empty result.");
        }
        return result;
    }

    private static ToolFailure refused(Map<?, ?> error) {
        String message = error.get("message") == null ? "no reason given" : String.valueOf(error.get("message"));
        String reason = error.get("data") == null ? message : message + " " + StrictJson.write(error.get("data"));
        return ToolFailure.permanent(
                "Tool error",
                "The MCP server refused the request: " + SchemaTree.shortened(reason.replace('\n', ' '), EXCERPT));
    }
}
