package dev.parley.workflow.definition;

import static dev.parley.http.Access.Caller.MEMBER;

import dev.parley.db.Database;
import dev.parley.http.Access;
import dev.parley.http.StrictJson;
import dev.parley.id.WorkflowId;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Stores the positions of tasks and the notes of the editor's graph, separate from the draft (docs/decisions/0091). */
@Path("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/positions")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflows")
@Access(MEMBER)
public final class TaskPositionsResource {
    private final WorkflowStore statements;

    TaskPositionsResource(Database database) {
        this.statements = database.statements(WorkflowStore.class);
    }

    @GET
    @Operation(
            operationId = "getWorkflowPositions",
            summary = "Read the positions of the tasks and the notes in the graph")
    public TaskPositions get(@BeanParam MemberRequest member, @PathParam("workflowId") WorkflowId id) {
        return statements.positions(member.organization(), id).orElseThrow(() -> ApiProblem.notFound("workflow"));
    }

    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Replace the positions of the tasks and the notes in the graph",
            description =
                    "Applies to the draft and its runs. Creates no version and does not affect running instances.")
    public TaskPositions replace(
            @BeanParam MemberRequest member, @PathParam("workflowId") WorkflowId id, TaskPositions requested) {
        return statements
                .place(member.organization(), id, StrictJson.write(requested.checked()))
                .orElseThrow(() -> ApiProblem.notFound("workflow"));
    }
}
