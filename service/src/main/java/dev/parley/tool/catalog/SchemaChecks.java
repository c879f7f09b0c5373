package dev.parley.tool.catalog;

import dev.parley.tool.source.SchemaTree;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts how often a validation checks a value against a part of a {@link SchemaTree}; at least as often as it does. */
final class SchemaChecks {
    private long left;

    SchemaChecks(long most) {
        this.left = most;
    }

    /** Whether a validation needs no more checks than are left. */
    boolean allow(@Nullable Object schema, @Nullable Object value) {
        left--;
        if (schema instanceof Map<?, ?> keywords) {
            for (Map.Entry<?, ?> keyword : keywords.entrySet()) {
                if (left < 0) {
                    return false;
                }
                count(String.valueOf(keyword.getKey()), keyword.getValue(), value);
            }
        }
        return left >= 0;
    }

    private void count(String keyword, @Nullable Object part, @Nullable Object value) {
        switch (keyword) {
            case "properties" -> {
                Map<?, ?> members = map(value);
                left -= value instanceof Map ? map(part).size() : 0;
                map(part).forEach((name, schema) -> {
                    if (left >= 0 && members.containsKey(name)) {
                        allow(schema, members.get(name));
                    }
                });
            }
            case "patternProperties" ->
                map(part).values().forEach(schema -> countAll(schema, map(value).values()));
            case "propertyNames", "additionalProperties", "unevaluatedProperties" ->
                countAll(part, map(value).values());
            case "items", "contains", "unevaluatedItems" -> countAll(part, list(value));
            case "prefixItems" -> {
                int checked = Math.min(list(part).size(), list(value).size());
                for (int i = 0; i < checked && left >= 0; i++) {
                    allow(list(part).get(i), list(value).get(i));
                }
            }
            case "allOf", "anyOf", "oneOf" -> allowEach(list(part), value);
            case "not", "if", "then", "else" -> allow(part, value);
            case "dependentSchemas" -> allowEach(map(part).values(), value);
            case "required" -> left -= value instanceof Map ? list(part).size() : 0;
            case "enum" -> left -= list(part).size();
            case "dependentRequired" ->
                left -= map(part).values().stream()
                        .mapToLong(names -> list(names).size())
                        .sum();
            default -> {
                // Checks the value once.
            }
        }
    }

    private void allowEach(Iterable<?> schemas, @Nullable Object value) {
        for (Object schema : schemas) {
            if (left < 0) {
                return;
            }
            allow(schema, value);
        }
    }

    private void countAll(@Nullable Object schema, Iterable<?> values) {
        for (Object value : values) {
            if (left < 0) {
                return;
            }
            allow(schema, value);
        }
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }
}
