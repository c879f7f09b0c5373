package dev.parley.workflow.task.ai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.http.json.StrictJson;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the JSON objects in a text: models put words, fences and arrays around their answer. */
final class JsonInText {
    /** More objects than an answer has; the rest is not looked at. */
    private static final int MAX_OBJECTS = 20;

    private JsonInText() {}

    /**
     * The different objects that are not part of another one, in order. Empty if one of them is malformed or cut: what is
     * whole in it could be a part of the answer only. Takes time proportional to the text's length.
     */
    static List<Map<String, Object>> objects(String text) {
        char[] chars = text.toCharArray();
        Set<Map<String, Object>> found = new LinkedHashSet<>();
        int at = text.indexOf('{');
        while (at >= 0 && found.size() < MAX_OBJECTS) {
            int end = at + 1;
            if (isObjectStart(chars, at)) {
                try {
                    end = end(chars, at);
                    found.add(StrictJson.readObject(text.substring(at, end)));
                } catch (IOException | UncheckedIOException malformed) {
                    return List.of();
                }
            }
            at = text.indexOf('{', end);
        }
        return new ArrayList<>(found);
    }

    /** Whether a name or the end follows the brace, rather than words. */
    private static boolean isObjectStart(char[] chars, int brace) {
        int at = brace + 1;
        while (at < chars.length && Character.isWhitespace(chars[at])) {
            at++;
        }
        return at < chars.length && (chars[at] == '"' || chars[at] == '}');
    }

    private static int end(char[] chars, int start) throws IOException {
        int depth = 0;
        try (JsonParser parser = StrictJson.mapper().getFactory().createParser(chars, start, chars.length - start)) {
            while (true) {
                JsonToken token = parser.nextToken();
                if (token == null) {
                    throw new EOFException();
                }
                if (token.isStructStart()) {
                    depth++;
                } else if (token.isStructEnd() && --depth == 0) {
                    return start + (int) parser.currentLocation().getCharOffset();
                }
            }
        }
    }
}
