package dev.parley.tool.source;

import dev.parley.http.json.StrictJson;
import dev.parley.problem.Text;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a tool call.
 *
 * @param text for a person or a model
 * @param structured the same as a JSON value, for outputs by name; null if the tool returned only text
 * @param files additional files
 */
public record ToolOutcome(String text, @Nullable Object structured, List<OutcomeFile> files) {
    public ToolOutcome {
        files = List.copyOf(files);
    }

    /** A file with its content. The array is not copied and must not be changed. */
    @SuppressWarnings("ArrayRecordComponent") // may be large, and is never compared
    public record OutcomeFile(String contentType, byte[] bytes) {}

    public static ToolOutcome text(String text) {
        return new ToolOutcome(text, null, List.of());
    }

    /** Whether the text has all of the structured result, which some tools only summarise in it. */
    private boolean isStructured() {
        if (text.isBlank()) {
            return false;
        }
        Object parsed = ToolHttpResponse.json(text);
        return Objects.equals(parsed, structured)
                || (structured instanceof Map<?, ?> members
                        && (members.containsValue(text) || (parsed != null && members.containsValue(parsed))));
    }

    /** The result as text of approximately this many characters. */
    public String truncated(int max) {
        String full =
                structured == null || isStructured() ? text : (text + "\n" + StrictJson.write(structured)).strip();
        var result = new StringBuilder(Text.truncate(full, max, "\n[The rest is omitted.]"));
        files.forEach(file ->
                result.append("\n[A file of type ").append(file.contentType()).append(".]"));
        return result.isEmpty() ? "[The tool returned nothing.]" : result.toString();
    }
}
