package dev.parley.workflow.instance.api.list;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.http.BulkAction;
import dev.parley.http.access.Access;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.organization.MemberRequest;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.run.InstanceService;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
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
@Tag(name = "Workflow instances")
@Access(MEMBER)
public final class InstanceBulkResource {
    private final InstanceService instances;

    InstanceBulkResource(InstanceService instances) {
        this.instances = instances;
    }

    /** The instances to cancel. */
    @Schema(name = "WorkflowInstanceBulkCancel")
    public record BulkCancel(
            @NotNull @Size(min = 1, max = BulkAction.MAX_IDS)
            List<@NotNull WorkflowInstanceId> workflowInstanceIds) {}

    /** What happened to one instance. */
    @Schema(name = "WorkflowInstanceBulkResult")
    public record BulkCancelResult(
            WorkflowInstanceId workflowInstanceId,
            boolean succeeded,

            @Schema(description = "Why the instance was not cancelled; null if it was", examples = "Conflict") @Nullable
            String error,

            @Schema(description = "The error as a sentence") @Nullable
            String detail,

            @Schema(description = "The error for programs, as in an error body", examples = "wrong_status") @Nullable
            String code) {}

    /** The results in the order of the request. */
    @Schema(name = "WorkflowInstanceBulkResults")
    public record BulkCancelResults(List<BulkCancelResult> results) {}

    @POST
    @Operation(
            summary = "Cancel several instances",
            description = "Each instance is cancelled by itself; the result has an entry for each.")
    @APIResponse(responseCode = "200", description = "What happened to each instance")
    public BulkCancelResults cancel(@BeanParam MemberRequest member, BulkCancel requested) {
        var event = new InstanceEvent.CancelRequested(member.createdBy());
        return new BulkCancelResults(BulkAction.each(
                requested.workflowInstanceIds,
                id -> instances.request(member.organization(), id, event, null),
                BulkCancelResult::new));
    }
}
