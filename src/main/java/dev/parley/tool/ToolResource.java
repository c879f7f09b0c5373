package dev.parley.tool;

import dev.parley.egress.EgressRequest;
import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The tool catalogue: members see it, owners and admins try tools out. */
@Path("/dashboard/api/organizations/{orgId}/tools")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Tools")
public final class ToolResource {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(50);

    private final ToolService tools;
    private final OrganizationAccess access;

    ToolResource(ToolService tools, OrganizationAccess access) {
        this.tools = tools;
        this.access = access;
    }

    /** A test call. */
    @Schema(name = "ToolTrial")
    public record ToolTrialRequest(
            @Schema(
                    required = true,
                    description = "Values by name, according to the tool's input_schema",
                    implementation = Object.class)
            @Nullable
            Map<String, @Nullable Object> arguments) {}

    /** The result of a test call. */
    @Schema(name = "ToolTrialOutcome")
    public record TrialOutcome(
            boolean succeeded,
            @Schema(nullable = true) @Nullable String text,

            @Schema(nullable = true, description = "The result as JSON, if the tool returned JSON") @Nullable
            Object structured,

            List<TrialFile> files,
            @Schema(nullable = true) @Nullable CallFailure error,
            long durationMs) {}

    /** A file returned by the tool, without its content. */
    @Schema(name = "ToolTrialFile")
    public record TrialFile(String contentType, int size) {}

    /** Why the call failed. */
    @Schema(name = "ToolTrialFailure")
    public record CallFailure(
            String error,
            String detail,

            @Schema(description = "Whether a workflow would retry automatically")
            boolean isTransient) {}

    /** The HTTP request of a call, without the provider's credentials. */
    @Schema(name = "ToolRequest")
    public record ToolRequest(
            @Schema(examples = "GET") String method,

            @Schema(examples = "https://api.example.com/pets?limit=5")
            String url,

            List<ToolRequestHeader> headers,

            @Schema(nullable = true, description = "null for none") @Nullable
            String body) {
        public ToolRequest {
            headers = List.copyOf(headers);
        }

        /** Without the key that makes a call take effect once: another call needs another one. */
        static ToolRequest of(EgressRequest request) {
            byte[] body = request.body().bytes();
            return new ToolRequest(
                    request.method(),
                    request.url(),
                    request.headers().stream()
                            .filter(header -> !header.name().equals("Idempotency-Key"))
                            .map(header -> new ToolRequestHeader(header.name(), header.value()))
                            .toList(),
                    body.length == 0 ? null : new String(body, StandardCharsets.UTF_8));
        }
    }

    /** A header of a request. */
    @Schema(name = "ToolRequestHeader")
    public record ToolRequestHeader(String name, String value) {}

    @GET
    @Operation(summary = "List tools", description = "By id, built-in tools first.")
    public Page<Tool> list(
            @PathParam("orgId") String orgId,
            @Parameter(description = "Only tools of this provider") @QueryParam("provider_id") @Nullable
                    String providerId,
            @Parameter(
                            description = "Only tools of providers of this kind",
                            schema = @Schema(enumeration = {"builtin", "mcp", "openapi", "workflow"}))
                    @QueryParam("kind")
                    @Nullable
                    String kind,
            @Parameter(description = "Part of the name, title or description, case-insensitive")
                    @QueryParam("search")
                    @Nullable
                    String search,
            @Parameter(description = "true or false") @QueryParam("available") @Nullable String available,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        int max = Page.limit(limit);
        var filter = new ToolStore.ToolFilter(
                Optional.ofNullable(providerId).map(ToolResource::provider),
                Optional.ofNullable(kind).map(ToolResource::kind),
                Optional.ofNullable(search).filter(text -> !text.isBlank() && text.indexOf('\0') < 0),
                Optional.ofNullable(available).map(ToolResource::parseBoolean));
        return Page.of(
                tools.list(id, filter, Page.after(after, ToolResource::cursor).orElse(0), max + 1),
                max,
                tool -> Integer.toString(tool.toolId()));
    }

    @GET
    @Path("/{toolId}")
    @Operation(summary = "Read a tool", description = "Includes tools that are no longer available.")
    public Tool get(
            @PathParam("orgId") String orgId, @PathParam("toolId") String toolId, @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        return tool(id, toolId);
    }

    @POST
    @Path("/{toolId}/try")
    @Operation(
            summary = "Test a tool",
            description = "Owners and admins. This is a real call with real effects. Invalid arguments are a 400; "
                    + "a failed call is a 200 with the error that a workflow would get.")
    @APIResponseSchema(value = TrialOutcome.class, responseCode = "200", responseDescription = "The result of the call")
    @APIResponse(responseCode = "409", description = "The tool is not available")
    public TrialOutcome attempt(
            @PathParam("orgId") String orgId,
            @PathParam("toolId") String toolId,
            ToolTrialRequest body,
            @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        Tool tool = tool(id, toolId);
        if (!tool.available()) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "The tool is not available.");
        }
        Map<String, @Nullable Object> arguments = requireArguments(tool, body);
        long startedAt = System.nanoTime();
        try {
            ToolOutcome outcome =
                    tools.call(id, tool.toolId(), arguments, UuidV7.next().toString(), CALL_TIMEOUT);
            List<TrialFile> files = outcome.files().stream()
                    .map(file -> new TrialFile(file.contentType(), file.bytes().length))
                    .toList();
            return new TrialOutcome(true, outcome.text(), outcome.structured(), files, null, since(startedAt));
        } catch (ToolFailure failed) {
            CallFailure failure = new CallFailure(failed.title(), failed.detail(), failed.isTransient());
            return new TrialOutcome(false, null, null, List.of(), failure, since(startedAt));
        }
    }

    @POST
    @Path("/{toolId}/request")
    @Operation(
            summary = "Show the HTTP request of a tool's call",
            description = "Owners and admins. The request is not sent, and has no credentials of the provider. Only "
                    + "tools of OpenAPI services have one.")
    @APIResponseSchema(value = ToolRequest.class, responseCode = "200", responseDescription = "The request")
    @APIResponse(responseCode = "409", description = "No single HTTP request calls the tool")
    public ToolRequest request(
            @PathParam("orgId") String orgId,
            @PathParam("toolId") String toolId,
            ToolTrialRequest body,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        Tool tool = tool(id, toolId);
        Map<String, @Nullable Object> arguments = requireArguments(tool, body);
        try {
            return tools.request(tool, id, arguments)
                    .map(ToolRequest::of)
                    .orElseThrow(() ->
                            ApiProblem.of(ProblemKind.CONFLICT, "The tool is not called by a single HTTP request."));
        } catch (ToolFailure failed) {
            throw ApiProblem.of(ProblemKind.CONFLICT, failed.detail());
        }
    }

    private Map<String, @Nullable Object> requireArguments(Tool tool, ToolTrialRequest body) {
        Map<String, @Nullable Object> arguments = body.arguments();
        if (arguments == null) {
            throw ApiProblem.invalid(Violation.missing("/arguments"));
        }
        new RequestValidator().addAll(tool.check(arguments, "/arguments")).done();
        return arguments;
    }

    private Tool tool(OrganizationId organization, String toolId) {
        return tools.find(organization, RequestValidator.pathInt(toolId, "tool"))
                .orElseThrow(() -> ApiProblem.notFound("tool"));
    }

    private static long since(long startedAt) {
        return Duration.ofNanos(System.nanoTime() - startedAt).toMillis();
    }

    private static int provider(String text) {
        return cursor(text)
                .orElseThrow(() -> ApiProblem.invalid(
                        Violation.parameter("provider_id", "'provider_id' must be the integer id of a provider.")));
    }

    private static ProviderKind kind(String text) {
        return Stream.of(ProviderKind.values())
                .filter(kind -> kind.text().equals(text))
                .findFirst()
                .orElseThrow(() -> ApiProblem.invalid(
                        Violation.parameter("kind", "'kind' must be 'builtin', 'mcp', 'openapi' or 'workflow'.")));
    }

    private static boolean parseBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw ApiProblem.invalid(Violation.parameter("available", "'available' must be 'true' or 'false'."));
        };
    }

    static Optional<Integer> cursor(String text) {
        try {
            return Optional.of(Integer.parseInt(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
