package dev.parley.tool.source;

import dev.parley.id.OrganizationId;
import org.jspecify.annotations.Nullable;

/**
 * Everything needed to reach a provider.
 *
 * @param id 0 before it is stored
 * @param revision counts the changes of its settings
 * @param url of the MCP server, or of the OpenAPI description
 * @param command name of a command of PARLEY_MCP_STDIO_COMMANDS, instead of a URL
 * @param serverUrl of the web API, overriding the description's
 * @param document the OpenAPI description that was uploaded; null too where a call does not need it
 * @param selection the operations of the description that become tools; null for all
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
        ToolCredentials credentials,
        boolean enabled,
        @Nullable OperationSelection selection) {
    /** A new provider, before its settings. */
    public static ProviderAccess unstored(OrganizationId organization, ProviderKind kind, String name) {
        return new ProviderAccess(
                organization, 0, 0, kind, name, null, null, null, null, ToolCredentials.NONE, true, null);
    }

    public ProviderAccess with(ToolCredentials other) {
        return new ProviderAccess(
                organization, id, revision, kind, name, url, command, serverUrl, document, other, enabled, selection);
    }

    /** Of the credentials that are set, separated by commas. */
    public String credentialNames() {
        return String.join(",", credentials.names());
    }
}
