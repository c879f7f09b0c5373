package dev.parley.tool;

import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A provider of tools as it is shown: of its credentials only which are set. */
public record ToolProvider(
        @Schema(examples = "1000") int id,

        @Schema(enumeration = {"builtin", "mcp", "openapi"}) String kind,

        @Schema(description = "How definitions name it; never changes", examples = "crm")
        String name,

        String description,

        @Schema(nullable = true, description = "Of the MCP server, or of the OpenAPI description") @Nullable
        String url,

        @Schema(nullable = true, description = "Name of a command that the operator listed") @Nullable
        String command,

        @Schema(nullable = true, description = "Of the web API, in the place of the one in the description") @Nullable
        String serverUrl,

        @Schema(description = "Whether the OpenAPI description was uploaded")
        boolean uploaded,

        @Schema(examples = "[\"bearer_token\"]") List<String> credentialsSet,

        @Schema(enumeration = {"READY", "FAILED"}) String status,

        @Schema(nullable = true, description = "Why the last refresh failed; the tools are those of the one before")
        @Nullable
        String error,

        @Schema(description = "What the last refresh left out")
        List<String> warnings,

        @Schema(description = "Tools that are there to be called")
        int tools,

        String createdBy,
        @Schema(nullable = true) @Nullable Instant createdAt,
        @Schema(nullable = true) @Nullable Instant updatedAt,
        @Schema(nullable = true) @Nullable Instant refreshedAt) {
    public static final String READY = "READY";
    public static final String FAILED = "FAILED";

    public ToolProvider {
        credentialsSet = List.copyOf(credentialsSet);
        warnings = List.copyOf(warnings);
    }

    /** The one that every organization has. */
    static final ToolProvider BUILT_IN = new ToolProvider(
            BuiltIn.PROVIDER_ID,
            ProviderKind.BUILTIN.text(),
            BuiltIn.PROVIDER,
            "Tools that every organization has.",
            null,
            null,
            null,
            false,
            List.of(),
            READY,
            null,
            List.of(),
            BuiltIn.values().length,
            "system",
            null,
            null,
            null);
}
