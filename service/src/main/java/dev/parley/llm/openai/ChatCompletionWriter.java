package dev.parley.llm.openai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.hash.Hashing;
import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatOptions;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTool;
import dev.parley.llm.ChatTurn;
import dev.parley.llm.dialect.CallArguments;
import dev.parley.llm.dialect.EndpointDialect.Adaptation;
import dev.parley.llm.dialect.EndpointDialect.RequestTraits;
import dev.parley.llm.dialect.MessageOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the JSON body of a request to OpenAI's chat completions API. */
final class ChatCompletionWriter {
    private static final JsonMapper JSON = new JsonMapper();

    /** Sent instead of a blank text, because a message must have content. */
    private static final String EMPTY_MESSAGE = "(empty message)";

    private static final String SCHEMA_PROMPT =
            "Answer with one JSON object that matches this JSON Schema, and with nothing else:\n";

    private static final int MAX_NAME_LENGTH = 64;
    private static final int SHORT_ID_LENGTH = 9;

    private ChatCompletionWriter() {}

    static RequestTraits traits(ChatRequest request) {
        Set<String> extras = new HashSet<>();
        boolean calls = false;
        for (ChatTurn turn : request.followUps()) {
            extras.addAll(turn.extras().keySet());
            for (ChatTool.ModelToolCall call :
                    turn.speaker() == ChatTurn.Speaker.ASSISTANT ? turn.calls() : List.<ChatTool.ModelToolCall>of()) {
                calls = true;
                extras.addAll(call.extras().keySet());
            }
        }
        return new RequestTraits(
                request.schema().map(ChatCompletionWriter::hash).orElse(""),
                request.tools().isEmpty() ? "" : hash(request.tools()),
                calls,
                !request.instructions().isBlank() || request.schema().isPresent(),
                extras,
                options(request.options(), Set.of()));
    }

    private static Map<String, Object> options(ChatOptions options, Set<Adaptation> adapted) {
        Map<String, Object> written = new LinkedHashMap<>();
        if (options.temperature() != null && !adapted.contains(Adaptation.NO_TEMPERATURE)) {
            written.put("temperature", options.temperature());
        }
        if (options.topP() != null && !adapted.contains(Adaptation.NO_TOP_P)) {
            written.put("top_p", options.topP());
        }
        if (options.maxOutputTokens() != null && !adapted.contains(Adaptation.NO_MAX_TOKENS)) {
            // Servers that know only the older name ignore the newer one, and with it the limit.
            boolean isNew = adapted.contains(Adaptation.MAX_COMPLETION_TOKENS);
            written.put(isNew ? "max_completion_tokens" : "max_tokens", options.maxOutputTokens());
        }
        if (options.reasoningEffort() != null && !adapted.contains(Adaptation.NO_REASONING_EFFORT)) {
            written.put("reasoning_effort", options.reasoningEffort());
        }
        if (!options.stop().isEmpty() && !adapted.contains(Adaptation.NO_STOP)) {
            written.put("stop", options.stop());
        }
        return written;
    }

    private static String hash(Object sent) {
        return Hashing.sha256().hashBytes(bytes(sent)).toString();
    }

    static byte[] bytes(Object tree) {
        try {
            return JSON.writeValueAsBytes(tree);
        } catch (JsonProcessingException notATree) {
            throw new IllegalArgumentException("Not a JSON tree.", notATree);
        }
    }

    /** @param adapted the changes that the endpoint needs */
    static Map<String, @Nullable Object> write(String model, ChatRequest request, Set<Adaptation> adapted) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("model", model);
        body.put("messages", messages(request, adapted));
        if (!adapted.contains(Adaptation.NO_STREAM)) {
            body.put("stream", !adapted.contains(Adaptation.WHOLE_REPLY));
        }
        if (Stream.of(Adaptation.NO_STREAM, Adaptation.WHOLE_REPLY, Adaptation.NO_STREAM_OPTIONS)
                .noneMatch(adapted::contains)) {
            body.put("stream_options", Map.of("include_usage", true));
        }
        body.putAll(options(request.options(), adapted));
        if (!adapted.contains(Adaptation.PROMPT_ONLY)) {
            request.schema().ifPresent(schema -> body.put("response_format", responseFormat(schema, adapted)));
        }
        if (!request.tools().isEmpty()) {
            body.put(
                    "tools",
                    request.tools().stream().map(tool -> tool(tool, adapted)).toList());
            String choice = request.options().toolChoice();
            if (choice != null) {
                body.put(
                        "tool_choice",
                        choice.equals(ChatOptions.ANY_TOOL)
                                ? "required"
                                : Map.of("type", "function", "function", Map.of("name", choice)));
            }
        }
        return body;
    }

    private static List<Map<String, @Nullable Object>> messages(ChatRequest request, Set<Adaptation> adapted) {
        List<Map<String, @Nullable Object>> messages = new ArrayList<>();
        String system = system(request, adapted);
        if (!system.isBlank()) {
            messages.add(MessageOrder.message("system", system));
        }
        request.turns().forEach(turn -> messages.add(message(turn, adapted)));
        if (!request.inputs().isEmpty() || !request.files().isEmpty()) {
            messages.add(inputs(request));
        }
        request.followUps().forEach(turn -> messages.add(message(turn, adapted)));
        List<Map<String, @Nullable Object>> ordered = MessageOrder.of(messages, EMPTY_MESSAGE);
        return adapted.contains(Adaptation.NO_SYSTEM_ROLE) ? MessageOrder.withoutSystem(ordered) : ordered;
    }

    private static String system(ChatRequest request, Set<Adaptation> adapted) {
        if (request.schema().isEmpty()
                || (!adapted.contains(Adaptation.JSON_OBJECT) && !adapted.contains(Adaptation.PROMPT_ONLY))) {
            return request.instructions();
        }
        String prompt = SCHEMA_PROMPT
                + JSON.valueToTree(StrictSchema.of(request.schema().get()));
        return request.instructions().isBlank() ? prompt : request.instructions() + "\n\n" + prompt;
    }

    private static Map<String, @Nullable Object> message(ChatTurn turn, Set<Adaptation> adapted) {
        String text = turn.text().isBlank() ? EMPTY_MESSAGE : turn.text();
        return switch (turn.speaker()) {
            case USER -> MessageOrder.message("user", content(text, turn.files()));
            case ASSISTANT -> assistant(turn, adapted);
            case TOOL -> {
                Map<String, @Nullable Object> message = MessageOrder.message("tool", text);
                message.put("tool_call_id", id(turn.calls().getFirst(), adapted));
                yield message;
            }
        };
    }

    /** The turn with the members that the endpoint gave it: several refuse the next request without them. */
    private static Map<String, @Nullable Object> assistant(ChatTurn turn, Set<Adaptation> adapted) {
        String text = turn.text();
        Map<String, @Nullable Object> message =
                MessageOrder.message("assistant", text.isBlank() ? EMPTY_MESSAGE : text);
        if (!turn.calls().isEmpty() && text.isBlank()) {
            message.put("content", adapted.contains(Adaptation.EMPTY_CONTENT) ? "" : null);
        }
        if (!adapted.contains(Adaptation.NO_EXTRA_MEMBERS)) {
            message.putAll(turn.extras());
        }
        if (adapted.contains(Adaptation.REASONING_MEMBER)) {
            message.putIfAbsent("reasoning_content", "");
        }
        if (!turn.calls().isEmpty()) {
            message.put(
                    "tool_calls",
                    turn.calls().stream().map(call -> toolCall(call, adapted)).toList());
        }
        return message;
    }

    private static Map<String, @Nullable Object> toolCall(ChatTool.ModelToolCall call, Set<Adaptation> adapted) {
        Map<String, @Nullable Object> function = new LinkedHashMap<>();
        Map<String, @Nullable Object> written = new LinkedHashMap<>();
        if (!adapted.contains(Adaptation.NO_EXTRA_MEMBERS)) {
            written.putAll(call.extras());
            if (call.extras().get("function") instanceof Map<?, ?> extras) {
                extras.forEach((name, value) -> function.put(String.valueOf(name), value));
            }
        }
        function.put("name", name(call.name()));
        function.put("arguments", CallArguments.isObject(call.arguments()) ? call.arguments() : "{}");
        written.put("id", id(call, adapted));
        written.put("type", "function");
        written.put("function", function);
        return written;
    }

    private static String id(ChatTool.ModelToolCall call, Set<Adaptation> adapted) {
        if (!adapted.contains(Adaptation.SHORT_CALL_IDS)) {
            return call.id();
        }
        UUID hash = UUID.nameUUIDFromBytes(call.id().getBytes(StandardCharsets.UTF_8));
        return hash.toString().replace("-", "").substring(0, SHORT_ID_LENGTH);
    }

    /** A name that a model made up may be one that the endpoint refuses. */
    private static String name(String called) {
        String name = called.replaceAll("[^A-Za-z0-9_-]", "_");
        return name.isEmpty() ? "unnamed" : name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH));
    }

    private static Map<String, @Nullable Object> inputs(ChatRequest request) {
        String text = "";
        if (!request.inputs().isEmpty()) {
            text = ChatRequest.INPUTS + JSON.valueToTree(request.inputs());
        }
        return MessageOrder.message("user", content(text, request.files()));
    }

    /** Without images a string: not every service accepts a list of parts. */
    private static Object content(String text, List<ChatFile> files) {
        if (files.stream().noneMatch(ChatFile::isImage)) {
            return Stream.concat(Stream.of(text), files.stream().map(ChatFile::promptText))
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining("\n\n"));
        }
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
        return parts;
    }

    private static Map<String, Object> part(String text) {
        return Map.of("type", "text", "text", text);
    }

    private static Map<String, Object> responseFormat(Map<String, Object> schema, Set<Adaptation> adapted) {
        if (adapted.contains(Adaptation.JSON_OBJECT)) {
            return Map.of("type", "json_object");
        }
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("name", "answer");
        if (!adapted.contains(Adaptation.NO_STRICT)) {
            named.put("strict", true);
        }
        named.put("schema", StrictSchema.of(schema));
        return Map.of("type", "json_schema", "json_schema", named);
    }

    private static Map<String, Object> tool(ChatTool tool, Set<Adaptation> adapted) {
        Map<String, Object> parameters = Map.of(
                "type",
                "object",
                "properties",
                tool.schema().getOrDefault("properties", Map.of()),
                "required",
                tool.schema().getOrDefault("required", List.of()));
        Map<String, Object> function = new LinkedHashMap<>();
        function.put("name", tool.name());
        function.put("description", tool.description());
        if (!adapted.contains(Adaptation.PLAIN_TOOL_SCHEMAS)) {
            function.put("parameters", parameters);
        } else if (tool.schema().get("properties") instanceof Map<?, ?> properties && !properties.isEmpty()) {
            function.put("parameters", StrictSchema.plain(parameters));
        }
        return Map.of("type", "function", "function", function);
    }
}
