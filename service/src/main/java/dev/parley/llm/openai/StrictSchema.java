package dev.parley.llm.openai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts a JSON Schema to a form that endpoints accept. The form of OpenAI's strict mode: every object requires all its
 * properties and allows no others.
 */
final class StrictSchema {
    private StrictSchema() {}

    static Map<String, Object> of(Map<?, ?> schema) {
        Map<String, Object> strict = new LinkedHashMap<>();
        schema.forEach((key, value) -> strict.put(String.valueOf(key), value));
        if (schema.get("items") instanceof Map<?, ?> items) {
            strict.put("items", of(items));
        }
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            Map<String, Object> inner = new LinkedHashMap<>();
            properties.forEach((name, value) ->
                    inner.put(String.valueOf(name), value instanceof Map<?, ?> property ? of(property) : value));
            strict.put("properties", inner);
            strict.put("required", new ArrayList<>(inner.keySet()));
            strict.put("additionalProperties", false);
        }
        return strict;
    }

    /** Only the keywords of a JSON Schema that every endpoint knows. The caller validates against the whole schema. */
    static Map<String, Object> plain(Map<?, ?> schema) {
        Map<String, Object> plain = new LinkedHashMap<>();
        type(schema.get("type")).ifPresent(type -> plain.put("type", type));
        if (schema.get("description") instanceof String description) {
            plain.put("description", description);
        }
        if (schema.get("enum") instanceof List<?> values
                && !values.isEmpty()
                && values.stream().allMatch(String.class::isInstance)) {
            plain.put("enum", values);
        }
        if (schema.get("items") instanceof Map<?, ?> items) {
            plain.put("items", plain(items));
        }
        if (schema.get("properties") instanceof Map<?, ?> properties && !properties.isEmpty()) {
            Map<String, Object> inner = new LinkedHashMap<>();
            properties.forEach((name, property) ->
                    inner.put(String.valueOf(name), property instanceof Map<?, ?> map ? plain(map) : Map.of()));
            plain.put("properties", inner);
            if (schema.get("required") instanceof List<?> required
                    && inner.keySet().containsAll(required)) {
                plain.put("required", required);
            }
        }
        return plain;
    }

    /** The type; the first one besides null of several. */
    private static Optional<String> type(@Nullable Object type) {
        return (type instanceof List<?> types ? types.stream() : Stream.ofNullable(type))
                .map(String::valueOf)
                .filter(name -> !name.equals("null"))
                .findFirst();
    }
}
