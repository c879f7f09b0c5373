package dev.parley.llm.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.llm.dialect.EndpointDialect.Adaptation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Translates the body of a chat completion to one of the Messages API.
 *
 * @param given the body, as {@code ChatCompletionWriter} writes it
 */
record AnthropicRequest(Map<String, @Nullable Object> given, Set<Adaptation> adapted) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** The API requires a limit. Models that cannot write as much refuse it, and get the lower one. */
    private static final int DEFAULT_MAX_TOKENS = 16_384;

    private static final int LOW_MAX_TOKENS = 4096;
    private static final int MIN_BUDGET = 1024;
    private static final String TYPE = "type";
    private static final String TEXT = "text";
    private static final String CONTENT = "content";
    private static final String ANSWER_PROMPT =
            "Give your final answer by calling the tool " + AnthropicProtocol.ANSWER_TOOL + ".";

    Map<String, @Nullable Object> write() {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("model", given.get("model"));
        int maxTokens = maxTokens();
        body.put("max_tokens", maxTokens);
        Object choice = given.get("tool_choice");
        // The API forces no tool while the model thinks.
        boolean isThinking = choice == null && putThinking(body, maxTokens);
        boolean isAnswerForced = !isThinking && !adapted.contains(Adaptation.UNFORCED_ANSWER);
        List<String> system = new ArrayList<>();
        body.put("messages", messages(system));
        List<Object> tools = new ArrayList<>();
        maps(given.get("tools")).forEach(tool -> tools.add(tool(map(tool.get("function")))));
        Object schema =
                map(map(given.get("response_format")).get("json_schema")).get("schema");
        if (choice != null) {
            body.put("tool_choice", toolChoice(choice));
        } else if (schema != null) {
            String type = isAnswerForced ? tools.isEmpty() ? "tool" : "any" : "auto";
            body.put(
                    "tool_choice",
                    type.equals("tool")
                            ? Map.of(TYPE, type, "name", AnthropicProtocol.ANSWER_TOOL)
                            : Map.of(TYPE, type));
            tools.add(Map.of(
                    "name",
                    AnthropicProtocol.ANSWER_TOOL,
                    "description",
                    "Takes the final answer. Call it once, when no other tool is needed.",
                    "input_schema",
                    schema));
            if (!isAnswerForced) {
                system.add(ANSWER_PROMPT);
            }
        }
        if (!system.isEmpty()) {
            body.put("system", String.join("\n\n", system));
        }
        if (!tools.isEmpty()) {
            body.put("tools", tools);
        }
        if (given.get("stream") instanceof Boolean stream) {
            body.put("stream", stream);
        }
        if (given.get("stop") instanceof List<?> stop) {
            body.put("stop_sequences", stop);
        }
        if (!isThinking) {
            putNumber(body, "temperature", value -> Math.min(1, value));
            putNumber(body, "top_p", value -> value);
        }
        return body;
    }

    private static Map<String, Object> toolChoice(Object choice) {
        return choice.equals("required")
                ? Map.of(TYPE, "any")
                : Map.of(
                        TYPE,
                        "tool",
                        "name",
                        String.valueOf(map(map(choice).get("function")).get("name")));
    }

    private int maxTokens() {
        Object set = given.containsKey("max_tokens") ? given.get("max_tokens") : given.get("max_completion_tokens");
        return set instanceof Number number
                ? number.intValue()
                : adapted.contains(Adaptation.NO_MAX_TOKENS) ? LOW_MAX_TOKENS : DEFAULT_MAX_TOKENS;
    }

    private void putNumber(Map<String, @Nullable Object> body, String name, DoubleUnaryOperator allowed) {
        if (given.get(name) instanceof Number number) {
            body.put(name, allowed.applyAsDouble(number.doubleValue()));
        }
    }

    /** Newer models take an effort, older ones a budget. Beside both the API refuses other options. */
    private boolean putThinking(Map<String, @Nullable Object> body, int maxTokens) {
        if (!(given.get("reasoning_effort") instanceof String set)) {
            return false;
        }
        String effort = set.equals("minimal") ? "low" : set;
        if (!adapted.contains(Adaptation.REASONING_BUDGET)) {
            body.put("thinking", Map.of(TYPE, "adaptive"));
            body.put("output_config", Map.of("effort", effort));
            return true;
        }
        double share =
                switch (effort) {
                    case "low" -> 0.2;
                    case "high" -> 0.8;
                    default -> 0.5;
                };
        int budget = (int) (maxTokens * share);
        if (budget < MIN_BUDGET) {
            return false;
        }
        body.put("thinking", Map.of(TYPE, "enabled", "budget_tokens", budget));
        return true;
    }

    /** @param system gets the texts of the system's messages */
    private List<Map<String, @Nullable Object>> messages(List<String> system) {
        List<Map<String, @Nullable Object>> messages = new ArrayList<>();
        for (Map<?, ?> message : maps(given.get("messages"))) {
            switch (String.valueOf(message.get("role"))) {
                case "system" -> system.add(String.valueOf(message.get(CONTENT)));
                case "assistant" -> add(messages, "assistant", assistant(message));
                case "tool" -> add(messages, "user", List.of(result(message)));
                default -> add(messages, "user", blocks(message.get(CONTENT)));
            }
        }
        return messages;
    }

    /** The results of one reply's calls must be in one message. */
    private static void add(List<Map<String, @Nullable Object>> messages, String role, List<?> blocks) {
        if (!messages.isEmpty() && role.equals(messages.getLast().get("role"))) {
            List<Object> joined = new ArrayList<>((List<?>) messages.getLast().get(CONTENT));
            joined.addAll(blocks);
            messages.getLast().put(CONTENT, joined);
            return;
        }
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("role", role);
        message.put(CONTENT, blocks);
        messages.add(message);
    }

    private static Map<String, Object> result(Map<?, ?> message) {
        return Map.of(
                TYPE,
                "tool_result",
                "tool_use_id",
                id(message.get("tool_call_id")),
                CONTENT,
                String.valueOf(message.get(CONTENT)));
    }

    private static List<?> assistant(Map<?, ?> message) {
        if (message.get(AnthropicProtocol.CONTENT) instanceof List<?> own) {
            return own;
        }
        List<Object> blocks = new ArrayList<>(blocks(message.get(CONTENT)));
        for (Map<?, ?> call : maps(message.get("tool_calls"))) {
            Map<?, ?> function = map(call.get("function"));
            blocks.add(Map.of(
                    TYPE,
                    "tool_use",
                    "id",
                    id(call.get("id")),
                    "name",
                    String.valueOf(function.get("name")),
                    "input",
                    input(String.valueOf(function.get("arguments")))));
        }
        return blocks;
    }

    /** Ids of other endpoints may have characters that this one refuses. */
    private static String id(@Nullable Object given) {
        return String.valueOf(given).replaceAll("[^A-Za-z0-9_-]", "_");
    }

    private static Object input(String arguments) {
        try {
            return JSON.readValue(arguments, Map.class);
        } catch (JsonProcessingException notAnObject) {
            return Map.of();
        }
    }

    private static List<Map<String, Object>> blocks(@Nullable Object content) {
        if (content instanceof String text) {
            return text.isBlank() ? List.of() : List.of(Map.of(TYPE, TEXT, TEXT, text));
        }
        List<Map<String, Object>> blocks = new ArrayList<>();
        for (Map<?, ?> part : maps(content)) {
            if (part.get(TEXT) instanceof String text && !text.isBlank()) {
                blocks.add(Map.of(TYPE, TEXT, TEXT, text));
            } else if (map(part.get("image_url")).get("url") instanceof String url) {
                blocks.add(Map.of(TYPE, "image", "source", source(url)));
            }
        }
        return blocks;
    }

    private static Map<String, Object> source(String url) {
        int comma = url.indexOf(";base64,");
        return Map.of(
                TYPE,
                "base64",
                "media_type",
                url.substring("data:".length(), comma),
                "data",
                url.substring(comma + ";base64,".length()));
    }

    private static Map<String, Object> tool(Map<?, ?> function) {
        Object parameters = function.get("parameters");
        return Map.of(
                "name",
                String.valueOf(function.get("name")),
                "description",
                String.valueOf(function.get("description")),
                "input_schema",
                parameters == null ? Map.of(TYPE, "object", "properties", Map.of()) : parameters);
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<Map<?, ?>> maps(@Nullable Object value) {
        List<Map<?, ?>> maps = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(one -> maps.add(map(one)));
        }
        return maps;
    }
}
