package dev.parley.llm.dialect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** The arguments of a tool call: a JSON text, an object, or a JSON text that was encoded again. */
public final class CallArguments {
    private static final int MAX_ENCODINGS = 3;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private CallArguments() {}

    /** The arguments as a JSON text; empty for none. An unreadable text is returned as it is. */
    public static String text(JsonNode given) {
        if (given.isMissingNode() || given.isNull() || (given.isArray() && given.isEmpty())) {
            return "";
        }
        return given.isTextual() ? decoded(given.textValue()) : given.toString();
    }

    private static String decoded(String given) {
        String text = given;
        for (int i = 0; i < MAX_ENCODINGS; i++) {
            String bare = text.strip();
            if (bare.equals("null") || bare.equals("[]")) {
                return "";
            }
            JsonNode inner = bare.startsWith("\"") ? parsed(bare) : JSON.missingNode();
            if (!inner.isTextual()) {
                break;
            }
            text = inner.textValue();
        }
        // A plain text stays in its quotes, so that it is not mistaken for JSON.
        return text.isBlank() || text.strip().startsWith("{") ? text : given;
    }

    /** Whether a text can be sent back as arguments: several endpoints parse them and fail otherwise. */
    public static boolean isObject(String text) {
        return parsed(text).isObject();
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException malformed) {
            return JSON.missingNode();
        }
    }
}
