package dev.parley.llm.openai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.llm.ChatTool.ModelToolCall;
import dev.parley.llm.dialect.CallArguments;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the tool calls of a model's message, in the forms that endpoints give them. */
final class ToolCallReader {
    private static final JsonMapper JSON = new JsonMapper();
    private static final List<String> ARGUMENTS = List.of("arguments", "parameters", "args", "input");
    private static final Set<String> CALL_MEMBERS =
            Set.of("id", "type", "index", "function", "name", "arguments", "parameters", "args", "input");
    private static final Set<String> FUNCTION_MEMBERS = Set.of("name", "arguments", "parameters", "args", "input");

    /** Mistral accepts ids of exactly nine letters and digits. */
    private static final int ID_LENGTH = 9;

    private ToolCallReader() {}

    static List<ModelToolCall> read(JsonNode message) {
        List<JsonNode> nodes = calls(message.path("tool_calls"));
        if (nodes.isEmpty()) {
            nodes = calls(message.path("function_call"));
        }
        Set<String> ids = new HashSet<>();
        List<ModelToolCall> calls = new ArrayList<>();
        for (JsonNode node : nodes) {
            calls.add(call(node, ids));
        }
        return calls;
    }

    private static List<JsonNode> calls(JsonNode given) {
        JsonNode node = given;
        if (node.isTextual()) {
            try {
                node = JSON.readTree(node.textValue());
            } catch (JsonProcessingException noCalls) {
                return List.of();
            }
        }
        boolean single = node.isObject() && (node.has("function") || node.has("name"));
        Stream<JsonNode> nodes = single ? Stream.of(node) : node.valueStream();
        return nodes.filter(JsonNode::isObject).toList();
    }

    private static ModelToolCall call(JsonNode call, Set<String> ids) {
        JsonNode function = call.path("function");
        String name = function.isTextual()
                ? function.textValue()
                : function.path("name").asText(call.path("name").asText(""));
        String arguments = Stream.of(function, call)
                .flatMap(node -> ARGUMENTS.stream().map(node::path))
                .filter(node -> !node.isMissingNode() && !node.isNull())
                .findFirst()
                .map(CallArguments::text)
                .orElse("");
        Map<String, @Nullable Object> extras = extras(call, CALL_MEMBERS);
        Map<String, @Nullable Object> ofFunction = extras(function, FUNCTION_MEMBERS);
        if (!ofFunction.isEmpty()) {
            extras.put("function", ofFunction);
        }
        return new ModelToolCall(id(call, ids), plain(name), arguments, extras);
    }

    /** The endpoint's id, or a new one if it gave none or gave it before: results are told apart by it. */
    private static String id(JsonNode call, Set<String> ids) {
        String id = call.path("id").asText("").strip();
        while (id.isEmpty() || !ids.add(id)) {
            id = ThreadLocalRandom.current()
                    .ints(ID_LENGTH, 0, Character.MAX_RADIX)
                    .mapToObj(digit -> String.valueOf(Character.forDigit(digit, Character.MAX_RADIX)))
                    .reduce("", String::concat);
        }
        return id;
    }

    /** The name without what servers leave around it when they parse the model's text. */
    private static String plain(String name) {
        int token = name.indexOf("<|");
        String bare = (token < 0 ? name : name.substring(0, token)).strip();
        return bare.startsWith("functions.") ? bare.substring("functions.".length()) : bare;
    }

    /** The members of an object that are not null and not among the known ones, as a JDK tree. */
    static Map<String, @Nullable Object> extras(JsonNode object, Set<String> known) {
        Map<String, @Nullable Object> extras = new LinkedHashMap<>();
        object.properties().forEach(member -> {
            if (!known.contains(member.getKey()) && !member.getValue().isNull()) {
                extras.put(member.getKey(), tree(member.getValue()));
            }
        });
        return extras;
    }

    static Object tree(JsonNode node) {
        return JSON.convertValue(node, Object.class);
    }
}
