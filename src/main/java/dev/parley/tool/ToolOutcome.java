package dev.parley.tool;

import dev.parley.http.StrictJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tool answered.
 *
 * @param text what a person or a model reads
 * @param structured the same as a JSON value, for outputs that are taken by name; null where the tool gave only text
 * @param files what it made beside that
 */
public record ToolOutcome(String text, @Nullable Object structured, List<OutcomeFile> files) {
    public ToolOutcome {
        files = List.copyOf(files);
    }

    /** A file by its content. The array is not copied, and must not be changed. */
    @SuppressWarnings("ArrayRecordComponent") // may be large, and is never compared
    public record OutcomeFile(String contentType, byte[] bytes) {}

    public static ToolOutcome text(String text) {
        return new ToolOutcome(text, null, List.of());
    }

    /** All of it as a text of at most about so many characters. */
    public String shown(int most) {
        String said = text.isBlank() && structured != null ? StrictJson.write(structured) : text;
        var shown =
                new StringBuilder(said.length() <= most ? said : said.substring(0, most) + "\n[The rest is left out.]");
        files.forEach(file ->
                shown.append("\n[A file of type ").append(file.contentType()).append(".]"));
        return shown.isEmpty() ? "[The tool answered nothing.]" : shown.toString();
    }
}
