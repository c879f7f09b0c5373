package dev.parley.workflow.task.coder;

import dev.parley.http.DashboardUser;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.RequestFilter;
import dev.parley.http.RequestValidator;
import dev.parley.http.core.SingleLineText;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import dev.parley.workflow.task.coder.sandbox.Sandbox;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of code artifacts. Members read it and test its code; owners and admins, who are responsible for the
 * code that runs, change it.
 */
@Path("/dashboard/api/organizations/{orgId}/code-artifacts")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Code artifacts")
public final class CodeArtifactResource {
    private final CodeArtifactStore store;
    private final DryRun dryRun;
    private final Sandbox sandbox;
    private final SyntaxCheck syntax;
    private final OrganizationAccess access;

    CodeArtifactResource(
            CodeArtifactStore store, DryRun dryRun, Sandbox sandbox, SyntaxCheck syntax, OrganizationAccess access) {
        this.store = store;
        this.dryRun = dryRun;
        this.sandbox = sandbox;
        this.syntax = syntax;
        this.access = access;
    }

    /** New code. */
    @Schema(name = "NewCodeArtifact")
    public record NewArtifact(
            @Schema(
                    required = true,
                    minLength = 1,
                    maxLength = CodeChecks.MAX_NAME_LENGTH,
                    pattern = SingleLineText.PATTERN,
                    examples = "Convert currencies")
            @Nullable
            String name,

            @Schema(
                    description = "Required for a new artifact, and cannot be changed.",
                    enumeration = {"javascript", "python"})
            @Nullable
            String language,

            @Schema(
                    required = true,
                    minLength = 1,
                    maxLength = CodeChecks.MAX_SOURCE_LENGTH,
                    examples = "export default function main(inputs) { return { total: inputs.a + inputs.b }; }")
            @Nullable
            String source,

            @Nullable List<CodeArtifact.CodeInput> inputs,
            @Nullable List<CodeArtifact.CodeOutput> outputs) {}

    /** A dry run of stored code. */
    @Schema(name = "CodeTrial")
    public record DryRunRequest(
            @Schema(type = SchemaType.OBJECT, description = "Values by input name.") @Nullable
            Map<String, @Nullable Object> inputs,

            @Schema(description = "Default: the newest version.") @Nullable
            Integer version) {}

    /** A dry run of unsaved code. */
    @Schema(name = "CodeDraftTrial")
    public record DraftTrial(
            @Schema(
                    required = true,
                    enumeration = {"javascript", "python"})
            @Nullable
            String language,

            @Schema(required = true) @Nullable String source,

            @Schema(type = SchemaType.OBJECT, description = "Values by input name.") @Nullable
            Map<String, @Nullable Object> inputs,

            @Schema(description = "The outputs that the result must have. Omitted or empty: any.") @Nullable
            List<CodeArtifact.CodeOutput> outputs) {}

    @GET
    @Operation(summary = "List code artifacts", description = "By id, without the sources.")
    public Page<CodeArtifact> list(
            @PathParam("orgId") String orgId,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        int max = Page.limit(limit);
        return Page.of(
                store.list(organization, Page.after(after, CodeArtifactResource::number), max + 1),
                max,
                one -> Integer.toString(one.id()));
    }

    @POST
    @Operation(summary = "Create a code artifact", description = "Owners and admins.")
    @APIResponse(
            responseCode = "201",
            description = "Created, with version 1",
            headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(implementation = CodeArtifact.class)))
    public Response create(@PathParam("orgId") String orgId, NewArtifact artifact, @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        CodeLanguage language = CodeChecks.language(artifact.language());
        CodeArtifactStore.ArtifactDraft draft = CodeChecks.draft(artifact);
        syntax.require(organization, language, draft.source());
        CodeArtifact created = store.create(
                organization, language, draft, DashboardUser.of(request).createdBy());
        sandbox.expect(language);
        return Response.status(Response.Status.CREATED)
                .header(HttpHeaders.LOCATION, RequestFilter.path(request) + "/" + created.id())
                .entity(created)
                .build();
    }

    @GET
    @Path("/{artifactId}")
    @Operation(summary = "Read the newest version of a code artifact")
    public CodeArtifact get(
            @PathParam("orgId") String orgId, @PathParam("artifactId") String id, @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        CodeArtifact found = store.find(organization, artifact(id)).orElseThrow(CodeArtifactResource::unknown);
        IfMatch.addTag(request, found.version());
        // A dry run often follows.
        sandbox.expect(found.language());
        return found;
    }

    @PUT
    @Path("/{artifactId}")
    @Operation(
            summary = "Save code as the next version",
            description =
                    "Owners and admins. Code that does not parse is rejected, with the line. Saving unchanged code"
                            + " creates no version. Published workflows keep the version that they were published with.")
    @APIResponse(responseCode = "200", description = "Saved")
    @APIResponse(responseCode = "409", description = "The artifact has another language")
    public CodeArtifact save(
            @PathParam("orgId") String orgId,
            @PathParam("artifactId") String id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            NewArtifact artifact,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        int number = artifact(id);
        CodeLanguage language = artifact.language() == null ? null : CodeChecks.language(artifact.language());
        CodeArtifactStore.ArtifactDraft draft = CodeChecks.draft(artifact);
        IfMatch expected = IfMatch.of(ifMatch);
        CodeArtifact newest = store.find(organization, number).orElseThrow(CodeArtifactResource::unknown);
        if (!draft.source().equals(newest.source()) && (language == null || language == newest.language())) {
            syntax.require(organization, newest.language(), draft.source());
        }
        CodeArtifact saved = store.save(
                        organization,
                        number,
                        language,
                        draft,
                        DashboardUser.of(request).createdBy(),
                        expected)
                .orElseThrow(CodeArtifactResource::unknown);
        IfMatch.addTag(request, saved.version());
        sandbox.expect(saved.language());
        return saved;
    }

    @DELETE
    @Path("/{artifactId}")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Delete a code artifact",
            description = "Owners and admins. Instances that were started with its code continue to run it.")
    @APIResponse(responseCode = "204", description = "Deleted")
    @APIResponse(responseCode = "409", description = "A published workflow uses it")
    public void delete(
            @PathParam("orgId") String orgId,
            @PathParam("artifactId") String id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        if (!store.delete(organization, artifact(id), IfMatch.of(ifMatch))) {
            throw unknown();
        }
    }

    @GET
    @Path("/{artifactId}/versions")
    @Operation(summary = "List the versions of a code artifact, newest first")
    public Page<CodeArtifact.Version> versions(
            @PathParam("orgId") String orgId,
            @PathParam("artifactId") String id,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        int artifact = store.find(organization, artifact(id))
                .orElseThrow(CodeArtifactResource::unknown)
                .id();
        int max = Page.limit(limit);
        return Page.of(
                store.versions(organization, artifact, Page.after(after, CodeArtifactResource::number), max + 1),
                max,
                one -> Integer.toString(one.version()));
    }

    @GET
    @Path("/{artifactId}/versions/{version}")
    @Operation(summary = "Read a version of a code artifact")
    public CodeArtifact version(
            @PathParam("orgId") String orgId,
            @PathParam("artifactId") String id,
            @PathParam("version") String version,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        return store.version(organization, artifact(id), RequestValidator.pathInt(version, "version"))
                .orElseThrow(() -> ApiProblem.notFound("version"));
    }

    @POST
    @Path("/{artifactId}/dry-run")
    @Operation(
            summary = "Run a code artifact with given inputs",
            description = "Runs in the sandbox like a Coder task; nothing is stored.")
    public DryRun.ShownValue tryOut(
            @PathParam("orgId") String orgId,
            @PathParam("artifactId") String id,
            DryRunRequest trial,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        CodeArtifact code = store.find(organization, artifact(id)).orElseThrow(CodeArtifactResource::unknown);
        Integer version = trial.version();
        if (version != null) {
            code = store.version(organization, code.id(), version)
                    .orElseThrow(() ->
                            ApiProblem.invalid(Violation.invalid("/version", "There is no version " + version + ".")));
        }
        Map<String, @Nullable Object> inputs = trial.inputs();
        return dryRun.run(
                organization,
                code.language(),
                String.valueOf(code.source()),
                code.inputs(),
                code.outputs(),
                inputs == null ? Map.of() : inputs);
    }

    @POST
    @Path("/dry-run")
    @Operation(
            summary = "Run unsaved code with given inputs",
            description = "Owners and admins. Runs in the sandbox like a Coder task; nothing is stored.")
    public DryRun.ShownValue tryOutDraft(
            @PathParam("orgId") String orgId, DraftTrial trial, @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        CodeLanguage language = CodeChecks.language(trial.language());
        String source = CodeChecks.source(trial.source());
        Map<String, @Nullable Object> inputs = trial.inputs();
        return dryRun.run(
                organization,
                language,
                source,
                List.of(),
                CodeChecks.outputs(trial.outputs()),
                inputs == null ? Map.of() : inputs);
    }

    private static int artifact(String id) {
        return RequestValidator.pathInt(id, "code artifact");
    }

    private static Optional<Integer> number(String cursor) {
        return cursor.matches("[1-9][0-9]{0,8}") ? Optional.of(Integer.parseInt(cursor)) : Optional.empty();
    }

    private static ApiProblem unknown() {
        return ApiProblem.notFound("code artifact");
    }
}
