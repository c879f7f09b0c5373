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
     * A call that a model asks for. Nothing of it is checked: a model names tools that do not exist, too.
     *
     * @param id the model's own, for the answer
     * @param arguments JSON, or what the model takes for JSON
     */
    public record ModelToolCall(String id, String name, String arguments) {}
}
