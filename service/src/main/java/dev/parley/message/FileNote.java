package dev.parley.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Renders a message with a file as text for a model: the user's text and the kind of file. */
public final class FileNote {
    private FileNote() {}

    /** The text of a message. */
    public static String text(@Nullable String content, @Nullable String file) {
        String caption = content == null ? "" : content;
        if (file == null) {
            return caption;
        }
        JsonNode area = read(file);
        String note = "[The user sent the file " + area.path("filename").asText() + " ("
                + area.path("content_type").asText() + ", " + area.path("size").asLong() + " bytes).]";
        return caption.isEmpty() ? note : caption + "\n" + note;
    }

    /** The S3-style URI of a {@code file} area. */
    public static String uri(String file) {
        return read(file).path("uri").asText();
    }

    private static JsonNode read(String file) {
        try {
            return StrictJson.mapper().readTree(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
