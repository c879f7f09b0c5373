package dev.parley.workflow.definition;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.conversation.PublishedWorkflows;
import dev.parley.http.DashboardUser;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.RequestFilter;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.ValidationResult;
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
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Workflows in the dashboard. Saving stores a draft, publishing creates an immutable version. Open to every member. */
@Path("/dashboard/api/organizations/{orgId}/workflows")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflows")
public final class WorkflowResource {
    private static final String DOCUMENT =
            "The workflow definition; its JSON Schema is at /schemas/workflow-definition.json";

    private static final int MAX_NOTE_LENGTH = 500;

    private final WorkflowStore store;
    private final DefinitionReferences references;
    private final OrganizationAccess access;

    public WorkflowResource(WorkflowStore store, DefinitionReferences references, OrganizationAccess access) {
        this.store = store;
        this.references = references;
        this.access = access;
    }

    /** A workflow with its draft and the draft's current violations. */
    @Schema(name = "WorkflowWithDraft")
    public record WithDraft(
            @JsonUnwrapped Workflow workflow,

            @Schema(type = SchemaType.OBJECT, description = DOCUMENT)
            Map<String, @Nullable Object> document,

            @Schema(description = "The errors that prevent publishing; empty if there are none")
            List<Violation> errors) {}

    /** The result of a validation without saving. */
    @Schema(name = "WorkflowValidation")
    public record Validated(boolean valid, List<Violation> errors) {}

    /** The version created or found by a publication. */
    @Schema(name = "PublishedVersion")
    public record PublishedVersion(@Schema(examples = "1") int version) {}

    /** A page of versions. */
    @Schema(name = "WorkflowVersionPage")
    public record VersionPage(
            List<WorkflowVersion.Summary> items,

            @Schema(description = "Pass as 'after' to get the next page; null on the last page.") @Nullable
            String next) {}

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(summary = "Create a workflow as a draft")
    @APIResponse(
            responseCode = "201",
            description = "Created",
            headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(implementation = WithDraft.class)))
    public Response create(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @Parameter(schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
                    @QueryParam("allow_invalid")
                    @Nullable
                    String allowInvalid,
            @RequestBody(description = DOCUMENT) @Nullable Map<String, @Nullable Object> body) {
        OrganizationId organization = member(http, orgId);
        Map<String, @Nullable Object> document = body == null ? Map.of() : body;
        ValidationResult validation = checked(organization, null, document, allowInvalid);
        Workflow made = store.create(
                organization,
                document,
                validation.valid(),
                DashboardUser.of(http).createdBy());
        return Response.status(Response.Status.CREATED)
                .header(HttpHeaders.LOCATION, RequestFilter.path(http) + "/" + made.id())
                .entity(new WithDraft(made, document, validation.errors()))
                .build();
    }

    @POST
    @Path("/validate")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(summary = "Validate a workflow definition without saving it")
    public Validated validate(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @Parameter(description = "The workflow whose draft this is, so that its calls of itself fit the document")
                    @QueryParam("workflow_id")
                    @Nullable
                    String workflowId,
            @RequestBody(description = DOCUMENT) @Nullable Map<String, @Nullable Object> body) {
        OrganizationId organization = member(http, orgId);
        var validator = new RequestValidator();
        WorkflowId self = validator
                .parameterId(workflowId, "workflow_id", WorkflowId::parse)
                .orElse(null);
        validator.done();
        ValidationResult validation = references.validate(organization, self, body == null ? Map.of() : body);
        return new Validated(validation.valid(), validation.errors());
    }

    @GET
    @Path("/{workflowId}")
    @Operation(summary = "Read a workflow with its draft")
    public WithDraft get(
            @Context RoutingContext http, @PathParam("orgId") String orgId, @PathParam("workflowId") String id) {
        OrganizationId organization = member(http, orgId);
        WorkflowStore.WorkflowDraft found =
                store.find(organization, workflow(id)).orElseThrow(WorkflowResource::unknown);
        IfMatch.addTag(http, found.workflow().revision());
        ValidationResult validation =
                references.validate(organization, found.workflow().id(), found.document());
        return new WithDraft(found.workflow(), found.document(), validation.errors());
    }

    @PUT
    @Path("/{workflowId}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(summary = "Replace a workflow's draft")
    @APIResponse(responseCode = "200", description = "Saved")
    @APIResponse(responseCode = "409", description = "The workflow is archived")
    public WithDraft save(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("workflowId") String id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            @Parameter(schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
                    @QueryParam("allow_invalid")
                    @Nullable
                    String allowInvalid,
            @RequestBody(description = DOCUMENT) @Nullable Map<String, @Nullable Object> body) {
        OrganizationId organization = member(http, orgId);
        WorkflowId workflow = workflow(id);
        if (store.stage(organization, workflow) == PublishedWorkflows.Stage.UNKNOWN) {
            throw unknown();
        }
        IfMatch expected = IfMatch.of(ifMatch);
        Map<String, @Nullable Object> document = body == null ? Map.of() : body;
        ValidationResult validation = checked(organization, workflow, document, allowInvalid);
        String savedBy = DashboardUser.of(http).createdBy();
        Workflow saved = store.save(organization, workflow, document, validation.valid(), savedBy, expected)
                .orElseThrow(WorkflowResource::unknown);
        IfMatch.addTag(http, saved.revision());
        return new WithDraft(saved, document, validation.errors());
    }

    @DELETE
    @Path("/{workflowId}")
    @Operation(
            summary = "Archive a workflow",
            description = "It starts no more instances and is not listed. Running instances continue, and it stays "
                    + "readable.")
    @APIResponse(responseCode = "204", description = "Archived by this or an earlier request")
    public void archive(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("workflowId") String id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch) {
        if (!store.archive(member(http, orgId), workflow(id), IfMatch.of(ifMatch))) {
            throw unknown();
        }
    }

    /** The optional body of a publication. */
    @Schema(name = "Publication")
    public record Publication(
            @Schema(
                    description = "What changed, for the list of versions; at most 500 characters. Not stored if the"
                            + " draft is already published.",
                    maxLength = MAX_NOTE_LENGTH)
            @Nullable
            String note) {}

    @POST
    @Path("/{workflowId}/publish")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Publish the draft as the next version",
            description =
                    "A draft with errors is rejected. If the draft is already published, its version is returned.")
    @APIResponse(responseCode = "200", description = "Published")
    @APIResponse(responseCode = "400", description = "The draft is invalid; `errors` lists the violations")
    @APIResponse(responseCode = "409", description = "The workflow is archived")
    public PublishedVersion publish(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("workflowId") String id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            @Nullable Publication body) {
        OrganizationId organization = member(http, orgId);
        IfMatch expected = IfMatch.of(ifMatch);
        String publishedBy = DashboardUser.of(http).createdBy();
        return store.publish(organization, workflow(id), publishedBy, note(body), expected, (handle, document) -> {
                    ValidationResult validation = references.validate(handle, organization, workflow(id), document);
                    if (!validation.valid()) {
                        throw ApiProblem.invalid(validation.errors());
                    }
                })
                .map(PublishedVersion::new)
                .orElseThrow(WorkflowResource::unknown);
    }

    @GET
    @Path("/{workflowId}/versions")
    @Operation(summary = "List published versions, newest first")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = VersionPage.class)))
    public Page<WorkflowVersion.Summary> versions(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("workflowId") String id,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "100", defaultValue = "20"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(description = "The `next` of the previous page.") @QueryParam("after") @Nullable String after) {
        OrganizationId organization = member(http, orgId);
        WorkflowId workflow = workflow(id);
        if (store.stage(organization, workflow) == PublishedWorkflows.Stage.UNKNOWN) {
            throw unknown();
        }
        int max = Page.limit(limit);
        return Page.of(
                store.versions(organization, workflow, Page.after(after, WorkflowResource::version), max + 1),
                max,
                one -> String.valueOf(one.version()));
    }

    @GET
    @Path("/{workflowId}/versions/{version}")
    @Operation(summary = "Read a published version")
    public WorkflowVersion version(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("workflowId") String id,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER)) @PathParam("version") String version) {
        return store.version(member(http, orgId), workflow(id), RequestValidator.pathInt(version, "version"))
                .orElseThrow(() -> ApiProblem.notFound("version"));
    }

    private OrganizationId member(RoutingContext http, String orgId) {
        return access.require(DashboardUser.of(http), orgId, Role.MEMBER);
    }

    /** A draft with violations may be saved only if the request allows it. */
    private ValidationResult checked(
            OrganizationId organization,
            @Nullable WorkflowId self,
            Map<String, @Nullable Object> document,
            @Nullable String allowInvalid) {
        boolean allowed = "true".equals(allowInvalid);
        if (allowInvalid != null && !allowed && !allowInvalid.equals("false")) {
            throw ApiProblem.invalid(Violation.parameter("allow_invalid", "'allow_invalid' must be true or false."));
        }
        ValidationResult validation = references.validate(organization, self, document);
        if (!validation.valid() && !allowed) {
            throw ApiProblem.invalid(validation.errors());
        }
        return validation;
    }

    /** Null for a blank note. */
    private static @Nullable String note(@Nullable Publication publication) {
        if (publication == null || publication.note == null) {
            return null;
        }
        var validator = new RequestValidator();
        String note = validator.text(publication.note.strip(), "/note", 0, MAX_NOTE_LENGTH);
        validator.done();
        return note.isEmpty() ? null : note;
    }

    private static WorkflowId workflow(String id) {
        return RequestValidator.pathId(id, "workflow", WorkflowId::parse);
    }

    private static Optional<Integer> version(String cursor) {
        return cursor.matches("[1-9][0-9]{0,8}") ? Optional.of(Integer.parseInt(cursor)) : Optional.empty();
    }

    private static ApiProblem unknown() {
        return ApiProblem.notFound("workflow");
    }
}
