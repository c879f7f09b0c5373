package dev.parley.workflow.definition;

import dev.parley.http.DashboardUser;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Stores the positions of tasks and the notes of the editor's graph, separate from the draft (docs/decisions/0096). */
@Path("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/positions")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflows")
public final class TaskPositionsResource {
    private final WorkflowStore store;
    private final OrganizationAccess access;

    public TaskPositionsResource(WorkflowStore store, OrganizationAccess access) {
        this.store = store;
        this.access = access;
    }

    @GET
    @Operation(summary = "Read the positions of the tasks and the notes in the graph")
    public TaskPositions get(
            @Context RoutingContext http, @PathParam("orgId") String orgId, @PathParam("workflowId") String id) {
        OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
        return store.positions(organization, workflow(id)).orElseThrow(() -> ApiProblem.notFound("workflow"));
    }

    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Replace the positions of the tasks and the notes in the graph",
            description =
                    "Applies to the draft and its runs. Creates no version and does not affect running " + "instances.")
    public TaskPositions replace(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("workflowId") String id,
            TaskPositions wanted) {
        OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
        return store.place(organization, workflow(id), wanted.checked())
                .orElseThrow(() -> ApiProblem.notFound("workflow"));
    }

    private static WorkflowId workflow(String id) {
        return RequestValidator.pathId(id, "workflow", WorkflowId::parse);
    }
}
