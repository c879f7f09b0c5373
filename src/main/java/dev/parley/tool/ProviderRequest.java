package dev.parley.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.EgressRules;
import dev.parley.http.LargeBody;
import dev.parley.http.RequestValidator;
import dev.parley.http.core.SingleLineText;
import dev.parley.id.OrganizationId;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The request to create a provider, or to change some of its fields. */
@LargeBody
@Schema(name = "NewToolProvider")
public record ProviderRequest(
        @Schema(
                description = "The provider's name in definitions; required for a new provider, and cannot be changed",
                minLength = 1,
                maxLength = MAX_NAME_LENGTH,
                pattern = SingleLineText.PATTERN,
                examples = "crm")
        @Nullable
        String name,

        @Schema(
                description = "Required for a new provider, and cannot be changed",
                enumeration = {"mcp", "openapi"})
        @Nullable
        String kind,

        @Schema(nullable = true, maxLength = MAX_DESCRIPTION_LENGTH) @Nullable
        String description,

        @Schema(
                nullable = true,
                description = "Of the MCP server (streamable HTTP), or of the OpenAPI description",
                examples = "https://tools.example.com/mcp")
        @Nullable
        String url,

        @Schema(
                nullable = true,
                description = "Instead of an MCP server's URL: the name of a command that the operator configured")
        @Nullable
        String command,

        @Schema(
                nullable = true,
                description =
                        "The URL of the web API; overrides the servers of the description. An empty text removes it",
                examples = "https://api.example.com/v1")
        @Nullable
        String serverUrl,

        @Schema(
                nullable = true,
                description = "The OpenAPI 3 description: an object, or its JSON or YAML text; instead of the URL",
                implementation = Object.class)
        @Nullable
        JsonNode document,

        @Schema(
                nullable = true,
                description = "Replaces all credentials: one that is omitted is removed. Required for a change after "
                        + "which the stored ones would be sent to another server")
        @Nullable
        CredentialsRequest credentials,

        @Schema(
                nullable = true,
                description = "Whether its tools may be called, by default true. A provider that is not enabled is not "
                        + "contacted")
        @Nullable
        Boolean enabled,

        @Schema(
                nullable = true,
                maxItems = ToolDiscovery.MAX_TOOLS,
                description = "The operations of the OpenAPI description that become tools, by the names that POST "
                        + "…/tool-providers/operations lists, in addition to those with one of the `tags`. Replaces "
                        + "the previous choice together with `tags`; two empty lists choose all operations")
        @Nullable
        List<String> operations,

        @Schema(
                nullable = true,
                maxItems = ToolDiscovery.MAX_TOOLS,
                description = "The tags whose operations become tools")
        @Nullable
        List<String> tags) {
    static final int MAX_DESCRIPTION_LENGTH = 2_000;

    private static final int MAX_NAME_LENGTH = 100;
    private static final int MAX_SECRET_LENGTH = 8_000;
    private static final int MAX_HEADERS = 20;
    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7E]*");
    private static final Set<String> RESERVED = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "content-type",
            "accept",
            "mcp-session-id",
            "mcp-protocol-version",
            "keep-alive",
            "upgrade",
            "te",
            "trailer",
            "expect",
            "proxy-authorization",
            "proxy-connection");

    /** Credentials in a request; they are never returned. */
    @Schema(name = "NewToolCredentials")
    public record CredentialsRequest(
            @Schema(nullable = true) @Nullable String bearerToken,

            @Schema(nullable = true, description = "With `password`: basic authentication") @Nullable
            String username,

            @Schema(nullable = true) @Nullable String password,
            @Schema(nullable = true) @Nullable String apiKey,

            @Schema(
                    nullable = true,
                    description =
                            "Name of the API key's header, query parameter or cookie; by default that of the OpenAPI "
                                    + "description, else X-API-Key")
            @Nullable
            String apiKeyName,

            @Schema(
                    nullable = true,
                    enumeration = {"header", "query", "cookie"})
            @Nullable
            String apiKeyIn,

            @Schema(nullable = true, description = "Additional headers", implementation = Object.class) @Nullable
            Map<String, String> headers) {
        @Override
        public String toString() {
            return "CredentialsRequest";
        }
    }

    /** A description whose operations are listed. */
    static ProviderRequest ofDescription(
            @Nullable String url, @Nullable JsonNode document, @Nullable CredentialsRequest credentials) {
        return new ProviderRequest(null, null, null, url, null, null, document, credentials, null, null, null);
    }

    /** Validates a new provider; a 400 names the violations. */
    ProviderAccess checked(OrganizationId organization, EgressRules rules, Set<String> commands)
            throws InterruptedException {
        var validator = new RequestValidator();
        String called = validator.name(name, "/name", MAX_NAME_LENGTH);
        validator.require(
                !called.equalsIgnoreCase(BuiltInToolId.PROVIDER)
                        && !called.equalsIgnoreCase(WorkflowProvider.NAME)
                        && called.strip().equals(called),
                "/name",
                "'/name' must not be 'builtin' or 'workflow', nor begin or end with a space.");
        String requested = validator.text(kind, "/kind", 1, MAX_NAME_LENGTH);
        boolean isMcp = requested.equals(ProviderKind.MCP.text());
        validator.require(
                isMcp || requested.equals(ProviderKind.OPENAPI.text()), "/kind", "'/kind' must be 'mcp' or 'openapi'.");
        validator.done();
        ProviderKind as = ProviderKind.of(requested);
        return changed(
                new ProviderAccess(
                        organization, 0, 0, as, called, null, null, null, null, ToolCredentials.NONE, true, null),
                rules,
                commands);
    }

    /** The provider after the change; a 400 names the violations. */
    ProviderAccess changed(ProviderAccess before, EgressRules rules, Set<String> commands) throws InterruptedException {
        var validator = new RequestValidator();
        if (description != null) {
            var _ = validator.text(description, "/description", 0, MAX_DESCRIPTION_LENGTH);
        }
        validator.require(
                name == null || name.equals(before.name()), "/name", "'/name' cannot be changed: definitions use it.");
        validator.require(kind == null || kind.equals(before.kind().text()), "/kind", "'/kind' cannot be changed.");
        boolean moved = url != null || command != null || document != null;
        String toUrl = moved ? url : before.url();
        String toCommand = moved ? command : before.command();
        String toDocument = moved ? text() : before.document();
        String givenServer = serverUrl == null || serverUrl.isEmpty() ? null : serverUrl;
        String toServer = serverUrl != null ? givenServer : before.serverUrl();
        validateLocation(before.kind(), toUrl, toCommand, toDocument, commands, validator);
        checkUrl(url, "/url", rules, validator);
        checkUrl(givenServer, "/server_url", rules, validator);
        validator.require(
                serverUrl == null || before.kind() == ProviderKind.OPENAPI,
                "/server_url",
                "'/server_url' belongs to OpenAPI descriptions.");
        OperationSelection selection = selection(before, validator);
        ToolCredentials to = credentials == null ? before.credentials() : credentials(credentials, validator);
        validator.done();
        return new ProviderAccess(
                before.organization(),
                before.id(),
                before.revision(),
                before.kind(),
                before.name(),
                toUrl,
                toCommand,
                toServer,
                toDocument,
                to,
                enabled != null ? enabled : before.enabled(),
                selection);
    }

    private @Nullable OperationSelection selection(ProviderAccess before, RequestValidator validator) {
        if (operations == null && tags == null) {
            return before.selection();
        }
        List<String> names = checked(operations, "/operations", before.kind(), validator);
        List<String> chosenTags = checked(tags, "/tags", before.kind(), validator);
        return names.isEmpty() && chosenTags.isEmpty() ? null : new OperationSelection(names, chosenTags);
    }

    private static List<String> checked(
            @Nullable List<String> values, String path, ProviderKind kind, RequestValidator validator) {
        List<String> given = values == null ? List.of() : values;
        validator.require(
                given.isEmpty() || kind == ProviderKind.OPENAPI,
                path,
                "'" + path + "' belongs to OpenAPI descriptions.");
        validator.require(
                given.size() <= ToolDiscovery.MAX_TOOLS,
                path,
                "'" + path + "' has at most " + ToolDiscovery.MAX_TOOLS + " items.");
        for (int i = 0; i < Math.min(given.size(), ToolDiscovery.MAX_TOOLS); i++) {
            var _ = validator.text(given.get(i), path + "/" + i, 1, OfferedOperation.MAX_CHOICE_LENGTH);
        }
        return validator.hasViolations() ? List.of() : given.stream().distinct().toList();
    }

    private @Nullable String text() {
        return document == null ? null : document.isTextual() ? document.textValue() : document.toString();
    }

    private static void validateLocation(
            ProviderKind kind,
            @Nullable String url,
            @Nullable String command,
            @Nullable String document,
            Set<String> commands,
            RequestValidator validator) {
        if (kind == ProviderKind.MCP) {
            validator.require(document == null, "/document", "'/document' belongs to OpenAPI descriptions.");
            validator.require(
                    (url == null) != (command == null), "/url", "An MCP server has either a '/url' or a '/command'.");
            validator.require(
                    command == null || commands.contains(command),
                    "/command",
                    "'/command' must be the name of a command that the operator configured.");
        } else {
            validator.require(command == null, "/command", "'/command' belongs to MCP servers.");
            validator.require(
                    (url == null) != (document == null),
                    "/url",
                    "An OpenAPI description has either a '/url' or is the '/document'.");
        }
    }

    private static void checkUrl(@Nullable String url, String path, EgressRules rules, RequestValidator validator)
            throws InterruptedException {
        if (url != null) {
            Optional<String> violation = rules.checkResolving(url);
            validator.require(violation.isEmpty(), path, violation.orElse(""));
        }
    }

    private static ToolCredentials credentials(CredentialsRequest given, RequestValidator validator) {
        Map<String, @Nullable String> secrets = new HashMap<>();
        secrets.put("bearer_token", given.bearerToken());
        secrets.put("username", given.username());
        secrets.put("password", given.password());
        secrets.put("api_key", given.apiKey());
        secrets.forEach((name, value) -> checkSecret(value, "/credentials/" + name, validator));
        validator.require(
                given.apiKeyName() == null || isHeader(given.apiKeyName()),
                "/credentials/api_key_name",
                "'/credentials/api_key_name' must be the name of a header, parameter or cookie that may be set.");
        validator.require(
                given.apiKeyIn() == null || Set.of("header", "query", "cookie").contains(given.apiKeyIn()),
                "/credentials/api_key_in",
                "'/credentials/api_key_in' must be 'header', 'query' or 'cookie'.");
        Map<String, String> headers = given.headers() == null ? Map.of() : given.headers();
        validator.require(
                headers.size() <= MAX_HEADERS,
                "/credentials/headers",
                "'/credentials/headers' has at most " + MAX_HEADERS + " members.");
        headers.forEach((name, value) -> {
            String path = "/credentials/headers/" + name.replace("~", "~0").replace("/", "~1");
            validator.require(isHeader(name), path, "'" + path + "' is not the name of a header that may be set.");
            checkSecret(value == null ? "\n" : value, path, validator);
        });
        if (validator.hasViolations()) {
            return ToolCredentials.NONE;
        }
        return new ToolCredentials(
                given.bearerToken(),
                given.username(),
                given.password(),
                given.apiKey(),
                given.apiKeyName(),
                given.apiKeyIn(),
                headers);
    }

    private static boolean isHeader(String name) {
        return HEADER.matcher(name).matches() && !RESERVED.contains(name.toLowerCase(Locale.ROOT));
    }

    private static void checkSecret(@Nullable String value, String path, RequestValidator validator) {
        validator.require(
                value == null
                        || (value.length() <= MAX_SECRET_LENGTH
                                && VALUE.matcher(value).matches()),
                path,
                "'" + path + "' must have at most " + MAX_SECRET_LENGTH + " visible ASCII characters.");
    }
}
