package dev.parley.tool.catalog;

import dev.parley.http.json.RawJson;
import dev.parley.problem.Violation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A tool of the catalogue. The fields provider, tool_name and tool_id are those of an App task. */
public record Tool(
        @Schema(examples = "1") int toolId,

        @Schema(examples = "http.request") String toolName,

        @Schema(examples = "builtin") String provider,

        @Schema(examples = "1") int providerId,
        String title,
        String description,

        @Schema(description = "JSON Schema of the arguments")
        RawJson inputSchema,

        @Schema(description = "JSON Schema of the structured result, if the tool declares one") @Nullable
        RawJson outputSchema,

        @Schema(
                description = "False for a tool that its provider no longer offers, or whose provider is not enabled; "
                        + "its id stays reserved")
        boolean available,

        @Schema(nullable = true, description = "null for built-in tools") @Nullable
        Instant createdAt,

        @Schema(nullable = true, description = "Time of the last change of the description; null for built-in tools")
        @Nullable
        Instant updatedAt) {
    /** Violations of the schema by a call's arguments, with JSON Pointers below {@code at}. */
    public List<Violation> check(Map<String, @Nullable Object> arguments, String at) {
        return ToolArgumentValidator.violations(inputSchema.text(), arguments, at);
    }
}
