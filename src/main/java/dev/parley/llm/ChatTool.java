package dev.parley.llm;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

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
     * @param id assigned by the model, repeated with the result
     * @param arguments should be JSON
     */
    public record ModelToolCall(String id, String name, String arguments) {}
}
