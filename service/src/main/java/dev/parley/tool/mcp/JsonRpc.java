package dev.parley.tool.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.parley.tool.source.ToolHttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages of JSON-RPC 2.0, read as trees and not as typed records, so that one unexpected part never makes the
 * others unreadable. Numbers keep every digit; values nested deeper than the API's limit are rejected.
 */
final class JsonRpc {
    private JsonRpc() {}

    static Map<String, Object> message(@Nullable Object id, String method, Map<String, ?> params) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        if (id != null) {
            message.put("id", id);
        }
        message.put("method", method);
        if (!params.isEmpty()) {
            message.put("params", params);
        }
        return message;
    }

    /** The messages in a text: one, or an array of them; empty if it is something else. */
    static Optional<List<Map<?, ?>>> parse(String text) {
        Object tree;
        try {
            tree = ToolHttpResponse.LENIENT_JSON.readValue(
                    text.startsWith("\uFEFF") ? text.substring(1) : text, Object.class);
        } catch (JsonProcessingException | NumberFormatException | ArithmeticException _) {
            return Optional.empty();
        }
        return switch (tree) {
            case Map<?, ?> one -> Optional.of(List.of(one));
            case List<?> several ->
                Optional.of(several.stream()
                        .<Map<?, ?>>mapMulti((each, accept) -> {
                            if (each instanceof Map<?, ?> message) {
                                accept.accept(message);
                            }
                        })
                        .toList());
            case null, default -> Optional.empty();
        };
    }

    /** Whether the message is the response to a request. Some servers return a number as text, or no id with an error. */
    static boolean isResponse(Map<?, ?> message, Object id) {
        if (message.get("method") instanceof String) {
            return false;
        }
        boolean failed = message.get("error") != null;
        Object responded = message.get("id");
        return (failed || message.containsKey("result"))
                && (responded == null ? failed : String.valueOf(responded).equals(String.valueOf(id)));
    }

    /** The answer to a request of the server; empty for any other message. Only a ping is supported. */
    static Optional<Map<String, Object>> answer(Map<?, ?> message) {
        if (!(message.get("method") instanceof String method) || message.get("id") == null) {
            return Optional.empty();
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("jsonrpc", "2.0");
        answer.put("id", message.get("id"));
        if (method.equals("ping")) {
            answer.put("result", Map.of());
        } else {
            answer.put("error", Map.of("code", -32_601, "message", "Method not found"));
        }
        return Optional.of(answer);
    }
}
