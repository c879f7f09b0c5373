package dev.parley.llm.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object that arrives in pieces: texts are appended, members of objects are merged, elements of arrays continue
 * an earlier one or are new. Holds what no endpoint does differently by intent; the rest is in {@link #continues}.
 */
final class DeltaTree {
    /** Texts that arrive whole; repetitions are ignored. */
    private static final Set<String> WHOLE = Set.of("id", "type", "role", "format", "object", "signature");

    /** Counts for a member or an element besides its text, so that a stream without texts is limited, too. */
    static final int VALUE_SIZE = 8;

    /** The latest elements of an array that a piece may belong to. */
    private static final int MAX_CONTINUED = 128;

    private final Map<String, @Nullable Object> root = new LinkedHashMap<>();
    private long size;

    /** The characters of all texts and names, and {@link #VALUE_SIZE} for each value. */
    long size() {
        return size;
    }

    boolean isEmpty() {
        return root.isEmpty();
    }

    void add(JsonNode piece) {
        merge(root, piece);
    }

    ObjectNode tree() {
        return (ObjectNode) tree(root);
    }

    private void merge(Map<String, @Nullable Object> known, JsonNode piece) {
        piece.properties().forEach(member -> {
            String name = member.getKey();
            // Some endpoints give the only call without an array.
            boolean isCall = name.equals("tool_calls") && member.getValue().isObject();
            JsonNode value = isCall ? JsonNodeFactory.instance.arrayNode().add(member.getValue()) : member.getValue();
            if (!value.isNull() && !value.isMissingNode()) {
                size += known.containsKey(name) ? 0 : name.length() + VALUE_SIZE;
                known.put(name, merged(name, known.get(name), value));
            }
        });
    }

    @SuppressWarnings("unchecked") // only this class creates the values
    private Object merged(String name, @Nullable Object known, JsonNode piece) {
        if (known instanceof StringBuilder text && piece.isTextual()) {
            append(name, text, piece.textValue());
            return text;
        }
        if (known instanceof Map && piece.isObject()) {
            merge((Map<String, @Nullable Object>) known, piece);
            return known;
        }
        if (known instanceof List && piece.isArray()) {
            piece.forEach(element -> addElement((List<Object>) known, element));
            return known;
        }
        if (known instanceof List && (piece.isTextual() || piece.isObject())) { // Content goes on without parts.
            addElement((List<Object>) known, piece.isTextual() ? textPart(piece) : piece);
            return known;
        }
        if (known instanceof StringBuilder text && piece.isArray() && name.equals("content")) {
            List<Object> parts = new ArrayList<>();
            if (!text.isEmpty()) {
                parts.add(new LinkedHashMap<>(Map.of("type", new StringBuilder("text"), "text", text)));
            }
            piece.forEach(element -> addElement(parts, element));
            return parts;
        }
        return known != null && piece.isTextual() && piece.textValue().isEmpty() ? known : started(piece);
    }

    private static JsonNode textPart(JsonNode text) {
        return JsonNodeFactory.instance.objectNode().put("type", "text").set("text", text);
    }

    private void append(String name, StringBuilder text, String piece) {
        boolean isRepeated = name.equals("name") && text.toString().equals(piece);
        if (!isRepeated && !(WHOLE.contains(name) && !text.isEmpty())) {
            text.append(piece);
            size += piece.length();
        }
    }

    @SuppressWarnings("UnnecessaryStringBuilder") // later pieces are appended
    private Object started(JsonNode piece) {
        if (piece.isObject()) {
            Map<String, @Nullable Object> started = new LinkedHashMap<>();
            merge(started, piece);
            return started;
        }
        if (piece.isArray()) {
            List<Object> started = new ArrayList<>();
            piece.forEach(element -> addElement(started, element));
            return started;
        }
        if (piece.isTextual()) {
            size += piece.textValue().length();
            return new StringBuilder(piece.textValue());
        }
        return piece;
    }

    @SuppressWarnings("unchecked") // only this class creates the values
    private void addElement(List<Object> known, JsonNode piece) {
        if (piece.isNull()) {
            return;
        }
        int oldest = piece.isObject() ? Math.max(0, known.size() - MAX_CONTINUED) : known.size();
        for (int i = known.size() - 1; i >= oldest; i--) {
            if (known.get(i) instanceof Map<?, ?> element && continues(element, piece, i == known.size() - 1)) {
                merge((Map<String, @Nullable Object>) element, piece);
                return;
            }
        }
        size += VALUE_SIZE;
        known.add(started(piece));
    }

    /**
     * Whether a piece belongs to an element. By their index, which several endpoints leave out or repeat for different
     * calls; others send a new id with each piece of one call.
     */
    private static boolean continues(Map<?, ?> element, JsonNode piece, boolean isLast) {
        String id = piece.path("id").asText("");
        String knownId = text(element.get("id"));
        String name =
                piece.path("function").path("name").asText(piece.path("name").asText(""));
        boolean isNamed = element.get("function") instanceof Map<?, ?> function
                ? !text(function.get("name")).isEmpty()
                : element.containsKey("name");
        if (piece.path("index").isIntegralNumber()) {
            boolean isOther = !id.isEmpty() && !knownId.isEmpty() && !id.equals(knownId) && !name.isEmpty() && isNamed;
            return piece.path("index").equals(element.get("index")) && !isOther && isSameType(element, piece);
        }
        if (!id.isEmpty() && !knownId.isEmpty()) {
            return id.equals(knownId);
        }
        return isLast && id.isEmpty() && (name.isEmpty() || !isNamed) && isSameType(element, piece);
    }

    private static boolean isSameType(Map<?, ?> element, JsonNode piece) {
        String type = piece.path("type").asText("");
        return type.isEmpty() || type.equals(text(element.get("type")));
    }

    private static String text(@Nullable Object value) {
        return value instanceof StringBuilder text ? text.toString() : "";
    }

    private static JsonNode tree(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                ObjectNode object = JsonNodeFactory.instance.objectNode();
                map.forEach((name, member) -> object.set(String.valueOf(name), tree(member)));
                yield object;
            }
            case List<?> list -> {
                ArrayNode array = JsonNodeFactory.instance.arrayNode();
                list.forEach(element -> array.add(tree(element)));
                yield array;
            }
            case StringBuilder text -> JsonNodeFactory.instance.textNode(text.toString());
            case JsonNode node -> node;
            case null, default -> JsonNodeFactory.instance.nullNode();
        };
    }
}
