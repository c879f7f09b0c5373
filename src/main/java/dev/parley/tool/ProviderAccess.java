package dev.parley.tool;

import dev.parley.id.OrganizationId;
import org.jspecify.annotations.Nullable;

/**
 * All that it takes to reach a provider.
 *
 * @param id 0 before it was stored
 * @param revision counts its changes, so that nothing goes on with old settings
 * @param url of the MCP server, or of the OpenAPI description
 * @param command name of a command of PARLEY_MCP_STDIO_COMMANDS, in the place of a URL
 * @param serverUrl of the web API, in the place of the description's
 * @param document the OpenAPI description that was uploaded, or read last
 */
public record ProviderAccess(
        OrganizationId organization,
        int id,
        int revision,
        ProviderKind kind,
        String name,
        @Nullable String url,
        @Nullable String command,
        @Nullable String serverUrl,
        @Nullable String document,
        ToolCredentials credentials) {}
