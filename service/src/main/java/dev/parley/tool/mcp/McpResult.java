package dev.parley.tool.mcp;

import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.SchemaTree;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolOutcome;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the result of a call. What is neither text nor a file stays in the text, as JSON. */
final class McpResult {
    private static final int EXCERPT = 300;

    private final StringBuilder text = new StringBuilder();
    private final List<ToolOutcome.OutcomeFile> files = new ArrayList<>();

    private McpResult() {}

    static ToolOutcome outcome(Object result, ToolCredentials credentials) throws ToolFailure {
        var read = new McpResult();
        Map<?, ?> members = result instanceof Map<?, ?> map ? map : Map.of("content", result);
        Object structured = members.get("structuredContent");
        switch (members.get("content")) {
            case List<?> parts -> {
                for (Object part : parts) {
                    read.part(part);
                }
            }
            case null -> read.others(members);
            case Object part -> read.part(part);
        }
        if (Boolean.parseBoolean(String.valueOf(members.get("isError")))) {
            String reason =
                    read.text.isEmpty() && structured != null ? StrictJson.write(structured) : read.text.toString();
            String shown = SchemaTree.shortened(credentials.redact(reason).replace('\n', ' '), EXCERPT);
            throw ToolFailure.permanent(
                    "Tool error", "The tool failed: " + (shown.isEmpty() ? "no reason given." : shown));
        }
        return new ToolOutcome(read.text.toString(), structured, read.files);
    }

    /** A result without content, as early versions of the protocol and some servers have it. */
    private void others(Map<?, ?> members) {
        Map<Object, @Nullable Object> others = new LinkedHashMap<>(members);
        others.keySet().removeAll(List.of("structuredContent", "isError", "_meta", "content"));
        if (!others.isEmpty()) {
            line(StrictJson.write(others));
        }
    }

    private void part(@Nullable Object part) throws ToolFailure {
        switch (part) {
            case null -> {
                // Nothing.
            }
            case String plain -> line(plain);
            case Map<?, ?> members -> typed(String.valueOf(members.get("type")), members);
            default -> line(StrictJson.write(part));
        }
    }

    private void typed(String type, Map<?, ?> part) throws ToolFailure {
        Map<?, ?> resource = part.get("resource") instanceof Map<?, ?> map ? map : Map.of();
        if (type.equals("text") && part.get("text") instanceof String plain) {
            line(plain);
        } else if ((type.equals("image") || type.equals("audio")) && part.get("data") instanceof String data) {
            file(part.get("mimeType"), data);
        } else if (type.equals("resource") && resource.get("text") instanceof String plain) {
            line(plain);
        } else if (type.equals("resource") && resource.get("blob") instanceof String data) {
            file(resource.get("mimeType"), data);
        } else {
            line(StrictJson.write(part));
        }
    }

    private void line(String more) {
        text.append(text.isEmpty() ? "" : "\n").append(more);
    }

    /** Line breaks, the URL-safe alphabet and the start of a data URL are understood too. */
    private void file(@Nullable Object type, String data) throws ToolFailure {
        String base64 = data.replaceFirst("^data:[^,]{0,200};base64,", "")
                .replaceAll("\\s", "")
                .replace('-', '+')
                .replace('_', '/');
        try {
            files.add(new ToolOutcome.OutcomeFile(
                    type instanceof String named ? named : "application/octet-stream",
                    Base64.getDecoder().decode(base64)));
        } catch (IllegalArgumentException _) {
            throw ToolFailure.permanent("Invalid answer", "The tool returned a file that is not Base64.");
        }
    }
}
