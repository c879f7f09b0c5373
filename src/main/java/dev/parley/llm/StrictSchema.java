package dev.parley.llm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Converts a JSON Schema to the form that OpenAI's strict mode requires: every object requires all its properties and
 * allows no others.
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
}
