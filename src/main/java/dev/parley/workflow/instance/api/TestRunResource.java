package dev.parley.workflow.instance.api;

import dev.parley.http.BodyFilter;
import dev.parley.http.DashboardUser;
import dev.parley.http.RequestValidator;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.media.FileScope;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.definition.DefinitionReferences;
import dev.parley.workflow.definition.WorkflowStore;
import dev.parley.workflow.definition.core.ValidationResult;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.instance.core.ExecutionPlan;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.view.InstanceView;
import dev.parley.workflow.instance.view.InstanceViews;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Runs drafts for testing: the instance keeps the current draft, as version 0. */
@Path("/dashboard/api/organizations/{orgId}/workflows/{id}/test-run")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Dashboard: instances")
public final class TestRunResource {
    private final InstanceService instances;
    private final SyncTrigger trigger;
    private final WorkflowStore workflows;
    private final DefinitionReferences references;
    private final OrganizationAccess access;

    public TestRunResource(
            InstanceService instances,
            SyncTrigger trigger,
            WorkflowStore workflows,
            DefinitionReferences references,
            OrganizationAccess access) {
        this.instances = instances;
        this.trigger = trigger;
        this.workflows = workflows;
        this.references = references;
        this.access = access;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(summary = "Run the draft and wait for it", description = "Runs the draft like a synchronous trigger.")
    @APIResponse(
            responseCode = "200",
            description = "The instance ended or was paused",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(
            responseCode = "202",
            description = "The instance is still running",
            headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The workflow is archived")
    public Response testRun(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("id") String id,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "0", maximum = "120", defaultValue = "30"))
                    @QueryParam("wait_seconds")
                    @Nullable
                    String waitSeconds,
            TriggerResource.@Nullable TriggerRequest body)
            throws InterruptedException {
        DashboardUser person = DashboardUser.of(http);
        OrganizationId organization = access.require(person, orgId, Role.MEMBER);
        var request = body == null ? TriggerResource.TriggerRequest.EMPTY : body;
        var checks = new RequestValidator();
        int wait = TriggerResource.waitSeconds(waitSeconds, checks);
        instances.check(FileScope.all(organization), request.humanMsg(), request.fileUrls(), checks);
        checks.done();
        WorkflowId workflow = RequestValidator.pathId(id, "workflow", WorkflowId::parse);
        WorkflowStore.WorkflowDraft draft =
                workflows.find(organization, workflow).orElseThrow(() -> ApiProblem.notFound("workflow"));
        if (draft.workflow().archivedAt() != null) {
            throw WorkflowStore.archived();
        }
        ValidationResult validation = references.validate(organization, draft.document());
        WorkflowDefinition definition = validation.definition();
        if (definition == null) {
            throw ApiProblem.invalid(validation.errors());
        }
        var started = InstanceService.join(instances.startDraft(
                new InstanceService.Trigger(
                        organization,
                        workflow,
                        null,
                        null,
                        person.createdBy(),
                        request.humanMsg(),
                        SyncTrigger.present(request.fileUrls()),
                        SyncTrigger.present(request.inputs())),
                ExecutionPlan.of(definition),
                StrictJson.write(draft.document())));
        BodyFilter.bodyUsed(http);
        return trigger.answer(started, wait, InstanceViews.dashboardAddress(started.instance()))
                .response();
    }
}
