package dev.parley.workflow.instance.api;

import dev.parley.http.DashboardUser;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.instance.core.InputResolver;
import dev.parley.workflow.instance.core.TriggerData;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.StoredInstance;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The inputs of a workflow instance and of its tasks, for the dashboard's run page. */
@Path("/dashboard/api/organizations/{orgId}/instances/{id}/inputs")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Dashboard: instances")
public final class InstanceInputsDashboard {
    private final InstanceService instances;
    private final OrganizationAccess access;

    public InstanceInputsDashboard(InstanceService instances, OrganizationAccess access) {
        this.instances = instances;
        this.access = access;
    }

    /**
     * The inputs of the instance.
     *
     * @param values of human_input parameters, by name
     */
    @Schema(name = "WorkflowInstanceInputs")
    public record StartInputs(
            @Nullable String humanMsg,
            List<String> fileUrls,

            @Schema(type = SchemaType.OBJECT, description = "Values of human_input parameters, by name.")
            Map<String, @Nullable Object> values) {}

    /** The inputs of a task. */
    @Schema(name = "TaskInstanceInputs")
    public record OfTask(
            @Schema(
                    type = SchemaType.OBJECT,
                    description = "By name, as far as there are any yet; null where there is none.")
            Map<String, @Nullable Object> values,

            @Schema(
                    description = "Names of inputs that each run of the task reads anew and that are not kept: rows of"
                            + " data lakes, the conversation's history, the time.")
            List<String> unkept) {}

    @GET
    @Operation(summary = "Read what a workflow instance was started with")
    public StartInputs started(
            @Context RoutingContext http, @PathParam("orgId") String orgId, @PathParam("id") String id) {
        TriggerData trigger = find(http, orgId, id).state().trigger();
        return new StartInputs(trigger.humanMessage(), trigger.fileUrls(), trigger.inputs());
    }

    @GET
    @Path("/{taskId}")
    @Operation(summary = "Read the inputs of a workflow instance's task")
    public OfTask ofTask(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("id") String id,
            @PathParam("taskId") String taskId) {
        StoredInstance instance = find(http, orgId, id);
        var task = new TaskId(taskId);
        if (!instance.state().plan().has(task)) {
            throw ApiProblem.notFound("task");
        }
        InputResolver.ResolvedInputs known = InputResolver.known(instance.state(), task);
        return new OfTask(known.values(), known.unkept());
    }

    private StoredInstance find(RoutingContext http, String orgId, String id) {
        OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
        return instances.find(
                organization, RequestValidator.pathId(id, "workflow instance", WorkflowInstanceId::parse));
    }
}
