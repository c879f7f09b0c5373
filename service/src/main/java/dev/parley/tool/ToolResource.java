package dev.parley.tool;

import static dev.parley.http.access.Access.Caller.ADMIN;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.egress.EgressRequest;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.id.UuidV7;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.tool.catalog.Tool;
import dev.parley.tool.catalog.ToolStore;
import dev.parley.tool.source.ProviderKind;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolOutcome;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
@Access(MEMBER)
public final class ToolResource {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(50);

    private final ToolService tools;

    ToolResource(ToolService tools) {
        this.tools = tools;
    }

    /** A test call. */
    @FurtherChecks
    @Schema(name = "ToolTrial")
    public record ToolTrialRequest(
            @NotNull
            @Schema(
                    required = true,
                    description = "Values by name, according to the tool's input_schema",
                    implementation = Object.class)
            Map<String, @Nullable Object> arguments) {}

    /** The result of a test call. */
    @Schema(name = "ToolTrialOutcome")
    public record TrialOutcome(
            boolean succeeded,
            @Nullable String text,

            @Schema(description = "The result as JSON, if the tool returned JSON") @Nullable
            Object structured,

            List<TrialFile> files,
            @Nullable CallFailure error,
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

            @Schema(description = "null for none") @Nullable String body) {
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
            @BeanParam MemberRequest member,
            @Parameter(description = "Only tools of this provider") @QueryParam("provider_id") @Nullable
                    Integer provider,
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
            @Parameter(description = "true or false") @QueryParam("available") @Nullable Boolean available,
            @BeanParam PageRequest page) {
        var validator = new RequestValidator();
        var filter = new ToolStore.ToolFilter(
                Optional.ofNullable(provider),
                validator.parameterEnum(kind, "kind", ProviderKind.class),
                Optional.ofNullable(search).filter(text -> !text.isBlank() && text.indexOf('\0') < 0),
                Optional.ofNullable(available));
        validator.done();
        return page.page(
                tools.list(member.organization(), filter, page.afterNumber().orElse(0), page.rows()),
                tool -> Integer.toString(tool.toolId()));
    }

    @GET
    @Path("/{toolId}")
    @Operation(summary = "Read a tool", description = "Includes tools that are no longer available.")
    public Tool get(@BeanParam MemberRequest member, @PathParam("toolId") int id) {
        return tools.find(member.organization(), id).orElseThrow(() -> ApiProblem.notFound("tool"));
    }

    @POST
    @Path("/{toolId}/try")
    @Access(ADMIN)
    @Operation(
            summary = "Test a tool",
            description = "This is a real call with real effects. Invalid arguments are a 400; "
                    + "a failed call is a 200 with the error that a workflow would get.")
    @APIResponseSchema(value = TrialOutcome.class, responseCode = "200", responseDescription = "The result of the call")
    @APIResponse(responseCode = "409", description = "The tool is not available")
    public TrialOutcome attempt(
            @BeanParam MemberRequest member, @PathParam("toolId") int id, ToolTrialRequest requested)
            throws InterruptedException {
        Tool tool = get(member, id);
        if (!tool.available()) {
            throw ApiProblem.of(ProblemKind.WRONG_STATUS, "The tool is not available.");
        }
        requireArguments(tool, requested);
        long startedAt = System.nanoTime();
        try {
            ToolOutcome outcome = tools.call(
                    member.organization(),
                    id,
                    requested.arguments,
                    UuidV7.next().toString(),
                    CALL_TIMEOUT);
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
    @Access(ADMIN)
    @Operation(
            operationId = "previewToolRequest",
            summary = "Show the HTTP request of a tool's call",
            description = "The request is not sent, and has no credentials of the provider. Only "
                    + "tools of OpenAPI services have one.")
    @APIResponseSchema(value = ToolRequest.class, responseCode = "200", responseDescription = "The request")
    @APIResponse(responseCode = "409", description = "No single HTTP request calls the tool")
    public ToolRequest request(
            @BeanParam MemberRequest member, @PathParam("toolId") int id, ToolTrialRequest requested) {
        Tool tool = get(member, id);
        requireArguments(tool, requested);
        try {
            return tools.request(tool, member.organization(), requested.arguments)
                    .map(ToolRequest::of)
                    .orElseThrow(() -> ApiProblem.of(
                            ProblemKind.NOT_CHANGEABLE, "The tool is not called by a single HTTP request."));
        } catch (ToolFailure failed) {
            throw ApiProblem.of(ProblemKind.CONFLICT, failed.detail());
        }
    }

    private static void requireArguments(Tool tool, ToolTrialRequest requested) {
        RequestValidator.of(requested).done();
        new RequestValidator()
                .addAll(tool.check(requested.arguments, "/arguments"))
                .done();
    }

    private static long since(long startedAt) {
        return Duration.ofNanos(System.nanoTime() - startedAt).toMillis();
    }
}
