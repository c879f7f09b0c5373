package dev.parley.tool.catalog;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.tool.source.ProviderKind;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A provider of tools without its credentials; only their names are returned. */
public record ToolProvider(
        @Schema(examples = "1000") int id,

        @Schema(enumeration = {"builtin", "mcp", "openapi", "workflow"})
        String kind,

        @Schema(description = "The provider's name in definitions; cannot be changed", examples = "crm")
        String name,

        String description,

        @Schema(description = "Of the MCP server, or of the OpenAPI description") @Nullable
        String url,

        @Schema(description = "Name of a command that the operator configured") @Nullable
        String command,

        @Schema(description = "URL of the web API; overrides the one in the description") @Nullable
        String serverUrl,

        @Schema(description = "Whether the OpenAPI description was uploaded")
        boolean uploaded,

        @Schema(examples = "[\"bearer_token\"]") List<String> credentialsSet,

        @Schema(enumeration = {"READY", "FAILED"}) String status,

        @Schema(description = "Reason why the last refresh failed; the tools are then those of the previous refresh")
        @Nullable
        String error,

        @Schema(description = "Tools that the last refresh skipped, with reasons")
        List<String> warnings,

        @Schema(description = "Number of available tools") int tools,

        @Schema(description = "Whether its tools may be called")
        boolean enabled,

        String createdBy,
        @Schema(nullable = true) @Nullable Instant createdAt,

        @Schema(nullable = true, description = "Time of the last change of the settings") @Nullable
        Instant updatedAt,

        @Schema(description = "Who changed the settings last")
        String updatedBy,

        @Schema(nullable = true, description = "Time of the last refresh, successful or not") @Nullable
        Instant refreshedAt,

        @Schema(description = "The chosen operations of the OpenAPI description; null if all operations are tools")
        @Nullable
        List<String> operations,

        @Schema(description = "The chosen tags; null if all operations are tools") @Nullable
        List<String> tags,

        @JsonIgnore int revision) {
    public static final String READY = "READY";
    public static final String FAILED = "FAILED";

    public ToolProvider {
        credentialsSet = List.copyOf(credentialsSet);
        warnings = List.copyOf(warnings);
    }

    /** The provider that every organization has. */
    static final ToolProvider BUILT_IN = new ToolProvider(
            BuiltInToolId.PROVIDER_ID,
            ProviderKind.BUILTIN.text(),
            BuiltInToolId.PROVIDER,
            "Tools that every organization has.",
            null,
            null,
            null,
            false,
            List.of(),
            READY,
            null,
            List.of(),
            BuiltInToolId.values().length,
            true,
            "system",
            null,
            null,
            "system",
            null,
            null,
            null,
            1);
}
