package dev.parley.llm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the JSON body of a request to OpenAI's chat completions API. */
final class ChatCompletionWriter {
    private static final JsonMapper JSON = new JsonMapper();

    /** Sent instead of a blank text, because a message must have content. */
    private static final String EMPTY_MESSAGE = "(empty message)";

    private ChatCompletionWriter() {}

    static byte[] write(String model, ChatRequest request) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("model", model);
        body.put("messages", messages(request));
        body.put("stream", false);
        request.schema().ifPresent(schema -> body.put("response_format", responseFormat(schema)));
        if (!request.tools().isEmpty()) {
            body.put(
                    "tools",
                    request.tools().stream().map(ChatCompletionWriter::tool).toList());
        }
        try {
            return JSON.writeValueAsBytes(body);
        } catch (JsonProcessingException notATree) {
            throw new IllegalArgumentException("Not a JSON tree.", notATree);
        }
    }

    private static List<Map<String, Object>> messages(ChatRequest request) {
        List<Map<String, Object>> messages = new ArrayList<>();
        if (!request.instructions().isBlank()) {
            messages.add(message("system", request.instructions()));
        }
        request.turns().forEach(turn -> messages.add(message(turn)));
        if (!request.inputs().isEmpty() || !request.files().isEmpty()) {
            messages.add(inputs(request));
        }
        request.followUps().forEach(turn -> messages.add(message(turn)));
        if (messages.isEmpty()) {
            messages.add(message("user", EMPTY_MESSAGE));
        }
        return messages;
    }

    private static Map<String, Object> message(String role, Object content) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("role", role);
        message.put("content", content);
        return message;
    }

    private static Map<String, Object> message(ChatTurn turn) {
        String text = turn.text().isBlank() ? EMPTY_MESSAGE : turn.text();
        return switch (turn.speaker()) {
            case USER -> message("user", content(text, turn.files()));
            case ASSISTANT -> turn.calls().isEmpty() ? message("assistant", text) : toolCalls(turn);
            case TOOL -> {
                Map<String, Object> message = message("tool", text);
                message.put("tool_call_id", turn.calls().getFirst().id());
                yield message;
            }
        };
    }

    private static Map<String, Object> toolCalls(ChatTurn turn) {
        Map<String, Object> message = message("assistant", turn.text());
        if (turn.text().isBlank()) {
            message.remove("content");
        }
        message.put(
                "tool_calls",
                turn.calls().stream()
                        .map(call -> Map.of(
                                "id",
                                call.id(),
                                "type",
                                "function",
                                "function",
                                Map.of("name", call.name(), "arguments", call.arguments())))
                        .toList());
        return message;
    }

    private static Map<String, Object> inputs(ChatRequest request) {
        String text = "";
        if (!request.inputs().isEmpty()) {
            text = ChatRequest.INPUTS + JSON.valueToTree(request.inputs());
        }
        return message("user", content(text, request.files()));
    }

    /** A single text is written as a string: not every service accepts a list of parts. */
    private static Object content(String text, List<ChatFile> files) {
        List<Map<String, Object>> parts = new ArrayList<>();
        if (!text.isEmpty()) {
            parts.add(part(text));
        }
        for (ChatFile file : files) {
            parts.add(part(file.isImage() ? file.promptText() + ":" : file.promptText()));
            if (file.isImage()) {
                String data = Base64.getEncoder().encodeToString(file.image());
                parts.add(Map.of(
                        "type",
                        "image_url",
                        "image_url",
                        Map.of("url", "data:" + file.contentType() + ";base64," + data, "detail", "low")));
            }
        }
        return parts.size() == 1 ? parts.getFirst().getOrDefault("text", "") : parts;
    }

    private static Map<String, Object> part(String text) {
        return Map.of("type", "text", "text", text);
    }

    private static Map<String, Object> responseFormat(Map<String, Object> schema) {
        return Map.of(
                "type",
                "json_schema",
                "json_schema",
                Map.of("name", "answer", "strict", true, "schema", StrictSchema.of(schema)));
    }

    private static Map<String, Object> tool(ChatTool tool) {
        Map<String, Object> parameters = Map.of(
                "type",
                "object",
                "properties",
                tool.schema().getOrDefault("properties", Map.of()),
                "required",
                tool.schema().getOrDefault("required", List.of()));
        return Map.of(
                "type",
                "function",
                "function",
                Map.of("name", tool.name(), "description", tool.description(), "parameters", parameters));
    }
}
