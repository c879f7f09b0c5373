package dev.parley.tool.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressRules;
import dev.parley.http.LargeBody;
import dev.parley.http.RequestValidator;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Name;
import dev.parley.http.constraint.Text;
import dev.parley.id.OrganizationId;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.tool.source.OfferedOperation;
import dev.parley.tool.source.OperationSelection;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ProviderKind;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolDiscovery;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The request to create a provider, or to change some of its fields. */
@LargeBody
@FurtherChecks
@Schema(name = "NewToolProvider")
public record ProviderRequest(
        @Name
        @Schema(
                description = "The provider's name in definitions; required for a new provider, and cannot be changed",
                examples = "crm")
        @Nullable
        String name,

        @Schema(
                description = "Required for a new provider, and cannot be changed",
                enumeration = {"mcp", "openapi"},
                examples = "openapi")
        @Nullable
        String kind,

        @Text(max = 2_000) @Nullable String description,

        @Schema(
                description = "Of the MCP server (streamable HTTP), or of the OpenAPI description",
                examples = "https://api.example.com/openapi.json")
        @Nullable
        String url,

        @Schema(description = "Instead of an MCP server's URL: the name of a command that the operator configured")
        @Nullable
        String command,

        @Schema(
                description =
                        "The URL of the web API; overrides the servers of the description. An empty text removes it",
                examples = "https://api.example.com/v1")
        @Nullable
        String serverUrl,

        @Schema(
                description = "The OpenAPI 3 description: an object, or its JSON or YAML text; instead of the URL",
                implementation = Object.class)
        @Nullable
        JsonNode document,

        @Schema(
                nullable = true,
                description = "Replaces all credentials: one that is omitted is removed. Required for a change after "
                        + "which the stored ones would be sent to another server")
        @Nullable
        ToolCredentials credentials,

        @Schema(
                description = "Whether its tools may be called, by default true. A provider that is not enabled is not "
                        + "contacted")
        @Nullable
        Boolean enabled,

        @Size(max = ToolDiscovery.MAX_TOOLS)
        @Schema(
                description = "The operations of the OpenAPI description that become tools, by the names that POST "
                        + "…/tool-providers/operations lists, in addition to those with one of the `tags`. Replaces "
                        + "the previous choice together with `tags`; two empty lists choose all operations")
        @Nullable
        List<String> operations,

        @Size(max = ToolDiscovery.MAX_TOOLS) @Schema(description = "The tags whose operations become tools") @Nullable
        List<String> tags) {
    private static final int MAX_SECRET_LENGTH = 8_000;
    private static final int MAX_HEADERS = 20;
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7E]*");
    private static final Set<String> RESERVED =
            Set.of("content-type", "accept", "mcp-session-id", "mcp-protocol-version");

    /** Validates a new provider; a 400 names the violations. */
    ProviderAccess checked(OrganizationId organization, EgressRules rules, Set<String> commands)
            throws InterruptedException {
        var validator = RequestValidator.of(this);
        if (name == null) {
            validator.add(Violation.missing("/name"));
        } else {
            validator.require(
                    !name.equalsIgnoreCase(BuiltInToolId.PROVIDER)
                            && !name.equalsIgnoreCase(WorkflowProvider.NAME)
                            && name.strip().equals(name),
                    ViolationCode.ALREADY_USED,
                    "/name",
                    "'/name' must not be 'builtin' or 'workflow', nor begin or end with a space.");
        }
        if (kind == null) {
            validator.add(Violation.missing("/kind"));
        } else {
            validator.require(
                    kind.equals("mcp") || kind.equals("openapi"),
                    ViolationCode.NOT_ONE_OF,
                    "/kind",
                    "'/kind' must be 'mcp' or 'openapi'.",
                    Map.of("allowed", List.of("mcp", "openapi")));
        }
        validator.done();
        return changed(
                ProviderAccess.unstored(
                        organization, ProviderKind.of(Objects.requireNonNull(kind)), Objects.requireNonNull(name)),
                rules,
                commands);
    }

    /** The provider after the change; a 400 names the violations. */
    ProviderAccess changed(ProviderAccess before, EgressRules rules, Set<String> commands) throws InterruptedException {
        var validator = RequestValidator.of(this);
        validator.require(
                name == null || name.equals(before.name()),
                ViolationCode.NOT_ALLOWED,
                "/name",
                "'/name' cannot be changed: definitions use it.");
        validator.require(
                kind == null || kind.equals(before.kind().text()),
                ViolationCode.NOT_ALLOWED,
                "/kind",
                "'/kind' cannot be changed.");
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
                ViolationCode.NOT_ALLOWED,
                "/server_url",
                "'/server_url' belongs to OpenAPI descriptions.");
        OperationSelection selection = selection(before, validator);
        if (credentials != null) {
            check(credentials, validator);
        }
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
                credentials == null ? before.credentials() : credentials,
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
                ViolationCode.NOT_ALLOWED,
                path,
                "'" + path + "' belongs to OpenAPI descriptions.");
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
            validator.require(
                    document == null,
                    ViolationCode.NOT_ALLOWED,
                    "/document",
                    "'/document' belongs to OpenAPI descriptions.");
            validator.require(
                    (url == null) != (command == null),
                    url == null ? ViolationCode.REQUIRED : ViolationCode.NOT_ALLOWED,
                    "/url",
                    "An MCP server has either a '/url' or a '/command'.");
            validator.require(
                    command == null || commands.contains(command),
                    ViolationCode.NOT_ONE_OF,
                    "/command",
                    "'/command' must be the name of a command that the operator configured.");
        } else {
            validator.require(
                    command == null, ViolationCode.NOT_ALLOWED, "/command", "'/command' belongs to MCP servers.");
            validator.require(
                    (url == null) != (document == null),
                    url == null ? ViolationCode.REQUIRED : ViolationCode.NOT_ALLOWED,
                    "/url",
                    "An OpenAPI description has either a '/url' or is the '/document'.");
        }
    }

    private static void checkUrl(@Nullable String url, String path, EgressRules rules, RequestValidator validator)
            throws InterruptedException {
        if (url != null) {
            Optional<String> violation = rules.checkResolving(url);
            validator.require(violation.isEmpty(), ViolationCode.UNREACHABLE, path, violation.orElse(""));
        }
    }

    private static void check(ToolCredentials given, RequestValidator validator) {
        checkSecret(given.bearerToken(), "/credentials/bearer_token", validator);
        checkSecret(given.username(), "/credentials/username", validator);
        checkSecret(given.password(), "/credentials/password", validator);
        checkSecret(given.apiKey(), "/credentials/api_key", validator);
        validator.require(
                given.apiKeyName() == null || isHeader(given.apiKeyName()),
                ViolationCode.INVALID_FORMAT,
                "/credentials/api_key_name",
                "'/credentials/api_key_name' must be the name of a header, parameter or cookie that may be set.");
        validator.require(
                given.apiKeyIn() == null || Set.of("header", "query", "cookie").contains(given.apiKeyIn()),
                ViolationCode.NOT_ONE_OF,
                "/credentials/api_key_in",
                "'/credentials/api_key_in' must be 'header', 'query' or 'cookie'.",
                Map.of("allowed", List.of("header", "query", "cookie")));
        validator.require(
                given.headers().size() <= MAX_HEADERS,
                ViolationCode.TOO_MANY,
                "/credentials/headers",
                "'/credentials/headers' has at most " + MAX_HEADERS + " members.",
                Map.of("max", MAX_HEADERS));
        given.headers().forEach((name, value) -> {
            String path = Violation.member("/credentials/headers", name);
            validator.require(
                    isHeader(name),
                    ViolationCode.INVALID_FORMAT,
                    path,
                    "'" + path + "' is not the name of a header that may be set.");
            checkSecret(value == null ? "\n" : value, path, validator);
        });
    }

    private static boolean isHeader(String name) {
        return EgressRequest.maySet(name) && !RESERVED.contains(name.toLowerCase(Locale.ROOT));
    }

    private static void checkSecret(@Nullable String value, String path, RequestValidator validator) {
        validator.require(
                value == null
                        || (value.length() <= MAX_SECRET_LENGTH
                                && VALUE.matcher(value).matches()),
                ViolationCode.INVALID_FORMAT,
                path,
                "'" + path + "' must have at most " + MAX_SECRET_LENGTH + " visible ASCII characters.");
    }
}
