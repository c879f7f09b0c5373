package dev.parley.workflow.instance.api;

import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.view.AttemptView;
import dev.parley.workflow.instance.view.InstanceAttempts;
import dev.parley.workflow.instance.view.InstanceView;
import dev.parley.workflow.instance.view.InstanceViews;
import dev.parley.workflow.instance.view.ListedView;
import dev.parley.workflow.instance.view.LogView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Instances in the dashboard's API: runs to look at and to steer. */
@Path("/dashboard/api/organizations/{orgId}/instances")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Dashboard: instances")
public final class InstanceDashboard {
    private static final int LOG_PAGE = 1_000;

    private final InstanceService instances;
    private final InstanceViews views;
    private final InstanceReader reader;
    private final InstanceAttempts attempts;
    private final OrganizationAccess access;

    public InstanceDashboard(
            InstanceService instances,
            InstanceViews views,
            InstanceReader reader,
            InstanceAttempts attempts,
            OrganizationAccess access) {
        this.instances = instances;
        this.views = views;
        this.reader = reader;
        this.attempts = attempts;
        this.access = access;
    }

    @GET
    @Operation(summary = "List workflow instances, newest first")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = InstanceResource.InstancePage.class)))
    public Page<ListedView> list(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "100", defaultValue = "20"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(description = "The next of the page before.") @QueryParam("after") @Nullable String after,
            @QueryParam("status") @Nullable String status,
            @QueryParam("workflow_id") @Nullable String workflowId,
            @Parameter(schema = @Schema(type = SchemaType.STRING, format = "date-time"))
                    @QueryParam("created_since")
                    @Nullable
                    String createdSince) {
        OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
        InstanceQuery query = InstanceQuery.read(limit, after, status, workflowId, createdSince);
        return query.page(reader, organization, query.filter());
    }

    @GET
    @Path("/{id}")
    @Operation(summary = "Read a workflow instance")
    @APIResponse(
            responseCode = "200",
            description = "The instance",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    public InstanceView get(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("id") String id,
            @Parameter(
                            schema = @Schema(enumeration = "logs"),
                            description = "logs adds the status history and the console of code.")
                    @QueryParam("include")
                    @Nullable
                    String include) {
        var checks = new RequestValidator();
        checks.requireParameter(include == null || include.equals("logs"), "include", "'include' must be logs.");
        checks.done();
        StoredInstance instance = find(http, orgId, id);
        return include == null ? views.of(instance) : views.withLogs(instance);
    }

    @GET
    @Path("/{id}/logs")
    @Operation(summary = "Read the history of a workflow instance, oldest first")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = InstanceResource.LogPage.class)))
    public Page<LogView> logs(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("id") String id,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "1000"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(description = "The next of the page before.") @QueryParam("after") @Nullable String after) {
        int most = Page.limit(limit, LOG_PAGE, LOG_PAGE);
        int from = InstanceQuery.version(after);
        StoredInstance instance = find(http, orgId, id);
        return views.logs(instance.header().organization(), instance.header().id(), from, most);
    }

    @GET
    @Path("/{id}/attempts")
    @Operation(
            summary = "Read what was done in the attempts of an instance's tasks, oldest first",
            description = "Prompts, answers, tool calls, tokens and cost of each attempt of an AI, App or Coder task,"
                    + " be it that it succeeded, failed, was stopped, or was lost with its node.")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = InstanceAttempts.AttemptPage.class)))
    public Page<AttemptView> attempts(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("id") String id,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "50", defaultValue = "20"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(description = "The next of the page before.") @QueryParam("after") @Nullable String after,
            @Parameter(description = "The id of a task, for its attempts alone.") @QueryParam("task") @Nullable
                    String task) {
        return attempts.page(find(http, orgId, id), limit, after, task);
    }

    @POST
    @Path("/{id}/pause")
    @Operation(summary = "Pause an instance")
    @APIResponse(
            responseCode = "200",
            description = "The instance afterwards",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The instance's status, which is told, does not allow it")
    public InstanceView pause(
            @Context RoutingContext http, @PathParam("orgId") String orgId, @PathParam("id") String id) {
        return act(http, orgId, id, "pause");
    }

    @POST
    @Path("/{id}/resume")
    @Operation(summary = "Resume an instance that was paused by request")
    @APIResponse(
            responseCode = "200",
            description = "The instance afterwards",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The instance's status, which is told, does not allow it")
    public InstanceView resume(
            @Context RoutingContext http, @PathParam("orgId") String orgId, @PathParam("id") String id) {
        return act(http, orgId, id, "resume");
    }

    @POST
    @Path("/{id}/cancel")
    @Operation(summary = "Cancel an instance")
    @APIResponse(
            responseCode = "200",
            description = "The instance afterwards",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The instance's status, which is told, does not allow it")
    public InstanceView cancel(
            @Context RoutingContext http, @PathParam("orgId") String orgId, @PathParam("id") String id) {
        return act(http, orgId, id, "cancel");
    }

    @POST
    @Path("/{id}/terminate")
    @Operation(summary = "Terminate an instance")
    @APIResponse(
            responseCode = "200",
            description = "The instance afterwards",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The instance's status, which is told, does not allow it")
    public InstanceView terminate(
            @Context RoutingContext http, @PathParam("orgId") String orgId, @PathParam("id") String id) {
        return act(http, orgId, id, "terminate");
    }

    @POST
    @Path("/{id}/retry")
    @Operation(summary = "Run the tasks again whose exceptions paused the instance")
    @APIResponse(
            responseCode = "200",
            description = "The instance afterwards",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The instance's status, which is told, does not allow it")
    public InstanceView retry(
            @Context RoutingContext http, @PathParam("orgId") String orgId, @PathParam("id") String id) {
        return act(http, orgId, id, "retry");
    }

    private InstanceView act(RoutingContext http, String orgId, String id, String action) {
        StoredInstance instance = find(http, orgId, id);
        StoredInstance after = instances.request(
                instance.header().organization(),
                instance.header().id(),
                InstanceAction.event(action, DashboardUser.of(http).createdBy()),
                null);
        return views.of(after);
    }

    private StoredInstance find(RoutingContext http, String orgId, String id) {
        OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
        WorkflowInstanceId instance = RequestValidator.pathId(id, "workflow instance", WorkflowInstanceId::parse);
        return instances.find(organization, instance);
    }
}
