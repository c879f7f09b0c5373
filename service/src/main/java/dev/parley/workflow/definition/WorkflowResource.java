package dev.parley.workflow.definition;

import static dev.parley.http.access.Access.Caller.MEMBER;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.Text;
import dev.parley.http.filter.RequestFilter;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.check.ValidationResult;
import dev.parley.workflow.definition.reference.DefinitionReferences;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
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
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** Workflows in the dashboard. Saving stores a draft, publishing creates an immutable version. */
@Path("/dashboard/api/organizations/{orgId}/workflows")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflows")
@Access(MEMBER)
public final class WorkflowResource {
    private static final String DOCUMENT =
            "The workflow definition; its JSON Schema is at /schemas/workflow-definition.json";

    private final WorkflowService store;
    private final WorkflowStore statements;
    private final DefinitionReferences references;

    WorkflowResource(WorkflowService store, Database database, DefinitionReferences references) {
        this.store = store;
        this.statements = database.statements(WorkflowStore.class);
        this.references = references;
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

    /** The optional body of a publication. */
    @Schema(name = "Publication")
    public record Publication(
            @Text(max = 500)
            @Schema(
                    description = "What changed, for the list of versions; at most 500 characters. Not stored if the"
                            + " draft is already published.")
            @Nullable
            String note) {
        public Publication {
            note = note == null || note.isBlank() ? null : note.strip();
        }
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    @Operation(summary = "Create a workflow as a draft")
    @APIResponse(
            responseCode = "201",
            description = "Created",
            headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(implementation = WithDraft.class)))
    public WithDraft create(
            @BeanParam MemberRequest member,
            @Parameter(schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
                    @QueryParam("allow_invalid")
                    @Nullable
                    String allowInvalid,
            @RequestBody(description = DOCUMENT) @Nullable Map<String, @Nullable Object> body) {
        Map<String, @Nullable Object> document = body == null ? Map.of() : body;
        ValidationResult validation = checked(member.organization(), null, document, allowInvalid);
        Workflow created = store.create(member.organization(), document, validation.valid(), member.createdBy());
        String location = RequestFilter.path(member.http()) + "/" + created.id();
        member.http().response().putHeader(HttpHeaders.LOCATION, location);
        return new WithDraft(created, document, validation.errors());
    }

    @POST
    @Path("/validate")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "validateWorkflow", summary = "Validate a workflow definition without saving it")
    public Validated validate(
            @BeanParam MemberRequest member,
            @Parameter(description = "The workflow whose draft this is, so that its calls of itself fit the document")
                    @QueryParam("workflow_id")
                    @Nullable
                    WorkflowId self,
            @RequestBody(description = DOCUMENT) @Nullable Map<String, @Nullable Object> body) {
        ValidationResult validation = references.validate(member.organization(), self, body == null ? Map.of() : body);
        return new Validated(validation.valid(), validation.errors());
    }

    @GET
    @Path("/{workflowId}")
    @Operation(summary = "Read a workflow with its draft")
    public WithDraft get(@BeanParam MemberRequest member, @PathParam("workflowId") WorkflowId id) {
        WorkflowStore.WorkflowDraft found =
                statements.find(member.organization(), id).orElseThrow(WorkflowResource::unknown);
        IfMatch.addTag(member.http(), found.workflow().revision());
        ValidationResult validation = references.validate(member.organization(), id, found.document());
        return new WithDraft(found.workflow(), found.document(), validation.errors());
    }

    @PUT
    @Path("/{workflowId}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(summary = "Replace a workflow's draft")
    @APIResponse(responseCode = "200", description = "Saved")
    @APIResponse(responseCode = "409", description = "The workflow is archived")
    public WithDraft save(
            @BeanParam MemberRequest member,
            @PathParam("workflowId") WorkflowId id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            @Parameter(schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
                    @QueryParam("allow_invalid")
                    @Nullable
                    String allowInvalid,
            @RequestBody(description = DOCUMENT) @Nullable Map<String, @Nullable Object> body) {
        OrganizationId organization = member.organization();
        requireKnown(organization, id);
        IfMatch expected = IfMatch.of(ifMatch);
        Map<String, @Nullable Object> document = body == null ? Map.of() : body;
        ValidationResult validation = checked(organization, id, document, allowInvalid);
        Workflow saved = store.save(organization, id, document, validation.valid(), member.createdBy(), expected)
                .orElseThrow(WorkflowResource::unknown);
        IfMatch.addTag(member.http(), saved.revision());
        return new WithDraft(saved, document, validation.errors());
    }

    @DELETE
    @Path("/{workflowId}")
    @Operation(
            operationId = "archiveWorkflow",
            summary = "Archive a workflow",
            description = "It starts no more instances and is not listed. Running instances continue, and it stays "
                    + "readable.")
    @APIResponse(responseCode = "204", description = "Archived by this or an earlier request")
    public void archive(
            @BeanParam MemberRequest member,
            @PathParam("workflowId") WorkflowId id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch) {
        if (!store.archive(member.organization(), id, IfMatch.of(ifMatch))) {
            throw unknown();
        }
    }

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
            @BeanParam MemberRequest member,
            @PathParam("workflowId") WorkflowId id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            @Nullable Publication body) {
        String note = body == null ? null : body.note();
        return store.publish(member.organization(), id, member.createdBy(), note, IfMatch.of(ifMatch), document -> {
                    ValidationResult validation = references.validate(member.organization(), id, document);
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
    public Page<WorkflowVersion.Summary> versions(
            @BeanParam MemberRequest member, @PathParam("workflowId") WorkflowId id, @BeanParam PageRequest page) {
        requireKnown(member.organization(), id);
        return page.page(
                statements.versions(member.organization(), id, page.afterNumber(), page.rows()),
                version -> String.valueOf(version.version()));
    }

    @GET
    @Path("/{workflowId}/versions/{version}")
    @Operation(summary = "Read a published version")
    public WorkflowVersion version(
            @BeanParam MemberRequest member,
            @PathParam("workflowId") WorkflowId id,
            @PathParam("version") int version) {
        return statements.version(member.organization(), id, version).orElseThrow(() -> ApiProblem.notFound("version"));
    }

    @GET
    @Path("/{workflowId}/positions")
    @Operation(
            operationId = "getWorkflowPositions",
            summary = "Read the positions of the tasks and the notes in the graph")
    public TaskPositions positions(@BeanParam MemberRequest member, @PathParam("workflowId") WorkflowId id) {
        return statements.positions(member.organization(), id).orElseThrow(WorkflowResource::unknown);
    }

    /** Stored apart from the draft (docs/decisions/0091). */
    @PUT
    @Path("/{workflowId}/positions")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Replace the positions of the tasks and the notes in the graph",
            description =
                    "Applies to the draft and its runs. Creates no version and does not affect running instances.")
    public TaskPositions replacePositions(
            @BeanParam MemberRequest member, @PathParam("workflowId") WorkflowId id, TaskPositions requested) {
        return statements
                .place(member.organization(), id, StrictJson.write(requested.checked()))
                .orElseThrow(WorkflowResource::unknown);
    }

    private void requireKnown(OrganizationId organization, WorkflowId id) {
        if (statements.known(organization, id).isEmpty()) {
            throw unknown();
        }
    }

    /** A draft with violations may be saved only if the request allows it. */
    private ValidationResult checked(
            OrganizationId organization,
            @Nullable WorkflowId self,
            Map<String, @Nullable Object> document,
            @Nullable String allowInvalid) {
        var validator = new RequestValidator();
        boolean allowed = validator.parameterFlag(allowInvalid, "allow_invalid");
        validator.done();
        ValidationResult validation = references.validate(organization, self, document);
        if (!validation.valid() && !allowed) {
            throw ApiProblem.invalid(validation.errors());
        }
        return validation;
    }

    private static ApiProblem unknown() {
        return ApiProblem.notFound("workflow");
    }
}
