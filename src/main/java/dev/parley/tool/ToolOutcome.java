package dev.parley.tool;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tool answered.
 *
 * @param text what a person or a model reads
 * @param structured the same as a JSON value, for outputs that are taken by name; null where the tool gave only text
 * @param files what it made beside that
 */
public record ToolOutcome(String text, @Nullable Object structured, List<File> files) {
    public ToolOutcome {
        files = List.copyOf(files);
    }

    /** A file by its content. The array is not copied, and must not be changed. */
    @SuppressWarnings("ArrayRecordComponent") // may be large, and is never compared
    public record File(String contentType, byte[] bytes) {}

    public static ToolOutcome text(String text) {
        return new ToolOutcome(text, null, List.of());
    }
}
