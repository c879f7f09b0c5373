package dev.parley.workflow.definition.core.document;

import dev.parley.http.core.SingleLineText;
import dev.parley.workflow.definition.core.check.DefinitionSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The building blocks of {@link DefinitionSchema}. */
public final class SchemaParts {
    private SchemaParts() {}

    /** A JSON object of alternating names and values, in this order. */
    public static Map<String, @Nullable Object> map(@Nullable Object... members) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            object.put(String.valueOf(members[i]), members[i + 1]);
        }
        return object;
    }

    /** An object with exactly these fields. */
    static Map<String, @Nullable Object> object(List<String> required, Map<String, @Nullable Object> fields) {
        return map("type", "object", "properties", fields, "required", required, "additionalProperties", false);
    }

    /** A non-blank string. */
    public static Map<String, @Nullable Object> text(int maxLength) {
        return map("type", "string", "pattern", "\\S", "maxLength", maxLength);
    }

    /** A non-blank string that is {@link SingleLineText}. */
    public static Map<String, @Nullable Object> name() {
        return with(text(DefinitionLimits.NAME), "pattern", "^(?=.*\\S)[^" + SingleLineText.EXCLUDED + "]*$");
    }

    static Map<String, @Nullable Object> taskId() {
        return map("type", "string", "pattern", TaskId.PATTERN);
    }

    public static Map<String, @Nullable Object> integer(int min, int max) {
        return map("type", "integer", "minimum", min, "maximum", max);
    }

    public static Map<String, @Nullable Object> ofType(String... types) {
        return map("type", types.length == 1 ? types[0] : List.of(types));
    }

    public static Map<String, @Nullable Object> words(Collection<String> words) {
        return map("enum", List.copyOf(words));
    }

    public static Map<String, @Nullable Object> ref(String def) {
        return map("$ref", "#/$defs/" + def);
    }

    public static Map<String, @Nullable Object> arrayOf(String def) {
        return map("type", "array", "items", ref(def));
    }

    public static Map<String, @Nullable Object> with(Map<String, @Nullable Object> schema, String key, Object value) {
        Map<String, @Nullable Object> more = new LinkedHashMap<>(schema);
        more.put(key, value);
        return more;
    }

    /** Allows null as well: an optional field may be null. */
    static Map<String, @Nullable Object> optional(Map<String, @Nullable Object> schema) {
        if (schema.get("type") instanceof String type) {
            return with(schema, "type", List.of(type, "null"));
        }
        if (schema.get("enum") instanceof List<?> words) {
            List<@Nullable Object> orNull = new ArrayList<>(words);
            orNull.add(null);
            return with(schema, "enum", orNull);
        }
        return schema.containsKey("$ref") ? map("anyOf", List.of(schema, ofType("null"))) : schema;
    }

    /** If a field has this value, the object must also match another schema. */
    public static Map<String, @Nullable Object> when(String field, String value, Map<String, @Nullable Object> then) {
        Map<String, @Nullable Object> condition =
                map("properties", map(field, map("const", value)), "required", List.of(field));
        return map("if", condition, "then", then);
    }

    /** Makes a field required, and not null. */
    public static Map<String, @Nullable Object> requiring(String field, Map<String, @Nullable Object> schema) {
        return map("properties", map(field, schema), "required", List.of(field));
    }
}
