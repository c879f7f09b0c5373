package dev.parley.workflow.instance.api;

import dev.parley.http.BulkAction;
import dev.parley.http.Viewer;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.run.InstanceService;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Cancels several workflow instances for dashboard users. */
@Path("/dashboard/api/organizations/{orgId}/instances/cancel")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Dashboard: instances")
public final class InstanceBulkResource {
    private final InstanceService instances;
    private final OrganizationAccess access;

    public InstanceBulkResource(InstanceService instances, OrganizationAccess access) {
        this.instances = instances;
        this.access = access;
    }

    /** The instances to cancel. */
    @Schema(name = "WorkflowInstanceBulkCancel")
    public record BulkCancel(
            @Schema(required = true, minItems = 1, maxItems = BulkAction.MAX_IDS) @Nullable
            List<@Nullable String> workflowInstanceIds) {}

    /** What happened to one instance. */
    @Schema(name = "WorkflowInstanceBulkResult")
    public record BulkCancelResult(
            WorkflowInstanceId workflowInstanceId,
            boolean succeeded,

            @Schema(description = "Why the instance was not cancelled; null if it was", examples = "Conflict") @Nullable
            String error,

            @Schema(description = "The error as a sentence") @Nullable
            String detail) {}

    /** The results in the order of the request. */
    @Schema(name = "WorkflowInstanceBulkResults")
    public record BulkCancelResults(List<BulkCancelResult> results) {
        public BulkCancelResults {
            results = List.copyOf(results);
        }
    }

    @POST
    @Operation(
            summary = "Cancel several instances",
            description = "Each instance is cancelled by itself; the result has an entry for each.")
    @APIResponse(responseCode = "200", description = "What happened to each instance")
    public BulkCancelResults cancel(@Context RoutingContext http, @Context UriInfo uri, BulkCancel wanted) {
        Viewer viewer = access.viewer(http, uri);
        return new BulkCancelResults(BulkAction.each(
                wanted.workflowInstanceIds,
                "/workflow_instance_ids",
                WorkflowInstanceId::parse,
                id -> instances.request(
                        viewer.organization(), id, new InstanceEvent.CancelRequested(viewer.createdBy()), null),
                BulkCancelResult::new));
    }
}
