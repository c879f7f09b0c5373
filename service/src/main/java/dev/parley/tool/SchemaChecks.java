package dev.parley.tool;

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
                if (part instanceof Map<?, ?> schemas && value instanceof Map<?, ?> members) {
                    left -= schemas.size();
                    schemas.forEach((name, schema) -> {
                        if (left >= 0 && members.containsKey(name)) {
                            allow(schema, members.get(name));
                        }
                    });
                }
            }
            case "patternProperties" -> {
                if (part instanceof Map<?, ?> schemas) {
                    schemas.values().forEach(schema -> countMembers(schema, value));
                }
            }
            case "propertyNames", "additionalProperties", "unevaluatedProperties" -> countMembers(part, value);
            case "items", "contains", "unevaluatedItems" -> {
                if (value instanceof List<?> items) {
                    countAll(part, items);
                }
            }
            case "prefixItems" -> {
                if (part instanceof List<?> schemas && value instanceof List<?> items) {
                    for (int i = 0; i < Math.min(schemas.size(), items.size()) && left >= 0; i++) {
                        allow(schemas.get(i), items.get(i));
                    }
                }
            }
            case "allOf", "anyOf", "oneOf" -> {
                if (part instanceof List<?> schemas) {
                    for (Object schema : schemas) {
                        if (left >= 0) {
                            allow(schema, value);
                        }
                    }
                }
            }
            case "not", "if", "then", "else" -> allow(part, value);
            case "dependentSchemas" -> {
                if (part instanceof Map<?, ?> schemas) {
                    schemas.values().stream().takeWhile(_ -> left >= 0).forEach(schema -> allow(schema, value));
                }
            }
            case "required" -> left -= value instanceof Map && part instanceof List<?> names ? names.size() : 0;
            case "enum" -> left -= part instanceof List<?> values ? values.size() : 0;
            case "dependentRequired" -> left -= part instanceof Map<?, ?> names ? weight(names) : 0;
            default -> {
                // Checks the value once.
            }
        }
    }

    private void countMembers(@Nullable Object schema, @Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            countAll(schema, members.values());
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

    private static long weight(Map<?, ?> names) {
        return names.values().stream()
                .mapToLong(value -> value instanceof List<?> list ? list.size() : 0)
                .sum();
    }
}
