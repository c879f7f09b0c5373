package dev.parley.llm;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool that a model may call.
 *
 * @param name 1 to 64 of the characters a-z, A-Z, 0-9, _ and -
 * @param schema JSON Schema of the arguments, an object
 */
public record ChatTool(String name, String description, Map<String, Object> schema) {
    public ChatTool {
        schema = Collections.unmodifiableMap(new LinkedHashMap<>(schema));
    }

    /**
     * A call that a model requests, unvalidated: the tool may not exist.
     *
     * @param id assigned by the model, repeated with the result; unique within a reply
     * @param arguments should be a JSON object; blank for none
     * @param extras members that only this endpoint has, sent back with the call
     */
    public record ModelToolCall(String id, String name, String arguments, Map<String, @Nullable Object> extras) {
        public ModelToolCall {
            extras = unmodifiable(extras);
        }

        public ModelToolCall(String id, String name, String arguments) {
            this(id, name, arguments, Map.of());
        }
    }

    /** A copy; empty for null, which a journal from before the member has. */
    static Map<String, @Nullable Object> unmodifiable(@Nullable Map<String, @Nullable Object> extras) {
        return extras == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(extras));
    }
}
