package dev.parley.workflow.definition;

import dev.parley.http.core.SingleLineText;
import dev.parley.workflow.definition.core.DefinitionLimits;
import dev.parley.workflow.definition.core.TaskId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The building blocks of {@link DefinitionSchema}. */
final class SchemaParts {
    private SchemaParts() {}

    /** An object with exactly these fields. */
    static Map<String, @Nullable Object> object(List<String> required, Map<String, @Nullable Object> fields) {
        return OrderedJson.map(
                "type", "object", "properties", fields, "required", required, "additionalProperties", false);
    }

    /** A non-blank string. */
    static Map<String, @Nullable Object> text(int longest) {
        return OrderedJson.map("type", "string", "pattern", "\\S", "maxLength", longest);
    }

    /** A non-blank string that is {@link SingleLineText}. */
    static Map<String, @Nullable Object> name() {
        return with(text(DefinitionLimits.NAME), "pattern", "^(?=.*\\S)[^" + SingleLineText.EXCLUDED + "]*$");
    }

    static Map<String, @Nullable Object> taskId() {
        return OrderedJson.map("type", "string", "pattern", TaskId.PATTERN);
    }

    static Map<String, @Nullable Object> integerId() {
        return OrderedJson.map("type", "integer", "minimum", 1, "maximum", Integer.MAX_VALUE);
    }

    static Map<String, @Nullable Object> ofType(String... types) {
        return OrderedJson.map("type", types.length == 1 ? types[0] : List.of(types));
    }

    static <E> Map<String, @Nullable Object> words(E[] constants, Function<E, String> text) {
        return OrderedJson.map("enum", Arrays.stream(constants).map(text).toList());
    }

    static Map<String, @Nullable Object> ref(String def) {
        return OrderedJson.map("$ref", "#/$defs/" + def);
    }

    static Map<String, @Nullable Object> arrayOf(String def) {
        return OrderedJson.map("type", "array", "items", ref(def));
    }

    static Map<String, @Nullable Object> with(Map<String, @Nullable Object> schema, String key, Object value) {
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
        return OrderedJson.map("anyOf", List.of(schema, ofType("null")));
    }

    /** If a field has this value, the object must also match another schema. */
    static Map<String, @Nullable Object> when(String field, String value, Map<String, @Nullable Object> then) {
        Map<String, @Nullable Object> condition = OrderedJson.map(
                "properties", OrderedJson.map(field, OrderedJson.map("const", value)), "required", List.of(field));
        return OrderedJson.map("if", condition, "then", then);
    }

    /** Makes a field required, and not null. */
    static Map<String, @Nullable Object> requiring(String field, Map<String, @Nullable Object> schema) {
        return OrderedJson.map("properties", OrderedJson.map(field, schema), "required", List.of(field));
    }
}
