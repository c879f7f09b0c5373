package dev.parley.workflow.instance.api;

import static dev.parley.http.access.Access.Caller.KEY;

import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.Claim;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.filter.BodyFilter;
import dev.parley.id.WorkflowId;
import dev.parley.media.FileScope;
import dev.parley.workflow.instance.api.RunRequest.RunResponses;
import dev.parley.workflow.instance.run.InstanceService;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Triggers workflows in the developer API. */
@Path("/developer/api")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflow instances")
@Access(KEY)
public final class TriggerResource {
    private final InstanceService instances;
    private final SyncTrigger trigger;

    public TriggerResource(InstanceService instances, SyncTrigger trigger) {
        this.instances = instances;
        this.trigger = trigger;
    }

    /** The body of a trigger. */
    @FurtherChecks
    @Schema(name = "TriggerRequest")
    public record TriggerRequest(
            @Schema(
                    maxLength = InstanceService.MAX_MESSAGE,
                    description = "The message that triggers the workflow, if any.",
                    examples = "Claim 4711: the bolts arrived rusty.")
            @Nullable
            String humanMsg,

            @Schema(
                    type = SchemaType.ARRAY,
                    implementation = RunRequest.FileUrl.class,
                    maxItems = InstanceService.MAX_FILES,
                    description = "URLs of files. They are the value of the inputs named"
                            + " file_urls. A workflow without such an input passes them to every AI task that has no"
                            + " predecessor.")
            @Nullable
            List<@Nullable String> fileUrls,

            @Schema(type = SchemaType.OBJECT, description = "Values for human_input parameters by name.") @Nullable
            Map<String, @Nullable Object> inputs) {
        static final TriggerRequest EMPTY = new TriggerRequest(null, null, null);
    }

    @POST
    @Path("/workflows/{workflow_id}/trigger/sync")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "triggerWorkflow",
            summary = "Trigger a workflow and wait for it",
            description = "Responds when the instance is COMPLETED, FAILED, CANCELLED, TERMINATED or PAUSED, or "
                    + "when the time is over; the instance then continues. It also continues if the client "
                    + "disconnects.")
    @RunResponses
    @APIResponse(responseCode = "409", description = "The workflow is not published, or the key is in use")
    public Response trigger(
            @Context RoutingContext http,
            @PathParam("workflow_id") WorkflowId workflow,
            @BeanParam RunRequest run,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey,
            @Nullable TriggerRequest body)
            throws InterruptedException {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        TriggerRequest request = body == null ? TriggerRequest.EMPTY : body;
        var validator = RequestValidator.of(body);
        int wait = run.waitSeconds(validator);
        instances.check(FileScope.of(caller), request.humanMsg, request.fileUrls, validator);
        validator.done();
        Optional<Claim> claim =
                IdempotencyKeys.claim(caller, "POST /workflows/" + workflow + "/trigger/sync", idempotencyKey, request);
        caller.requireWorkflow(workflow);
        return trigger.run(
                new InstanceService.Trigger(
                        caller.organization(),
                        workflow,
                        null,
                        caller.teamId(),
                        caller.createdBy(),
                        request.humanMsg,
                        SyncTrigger.present(request.fileUrls),
                        SyncTrigger.present(request.inputs)),
                wait,
                claim,
                () -> BodyFilter.bodyUsed(http));
    }
}
