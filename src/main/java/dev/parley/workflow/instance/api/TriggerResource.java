package dev.parley.workflow.instance.api;

import dev.parley.http.ApiKeyCaller;
import dev.parley.http.BodyFilter;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.Claim;
import dev.parley.http.RequestValidator;
import dev.parley.id.WorkflowId;
import dev.parley.media.FileScope;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.view.InstanceView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
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
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Triggers workflows in the developer API. */
@Path("/developer/api")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflow instances")
public final class TriggerResource {
    private static final int DEFAULT_WAIT_SECONDS = 30;
    private static final int MAX_WAIT_SECONDS = 120;

    private final InstanceService instances;
    private final SyncTrigger trigger;

    public TriggerResource(InstanceService instances, SyncTrigger trigger) {
        this.instances = instances;
        this.trigger = trigger;
    }

    /** The body of a trigger. */
    @Schema(name = "TriggerRequest")
    public record TriggerRequest(
            @Schema(description = "The message that triggers the workflow, if any; at most 262,144 characters.")
            @Nullable
            String humanMsg,

            @Schema(
                    description = "At most 100 http, https or s3 URLs of files. They are the value of the inputs named"
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
            summary = "Trigger a workflow and wait for it",
            description = "Responds when the instance is COMPLETED, FAILED, CANCELLED, TERMINATED or PAUSED, or "
                    + "when the time is over; the instance then continues. It also continues if the client "
                    + "disconnects.")
    @APIResponse(
            responseCode = "200",
            description = "The instance ended or was paused",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(
            responseCode = "202",
            description = "The instance is still running",
            headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "409", description = "The workflow is not published, or the key is in use")
    @APIResponse(responseCode = "429", description = "Too many instances run at once")
    public Response trigger(
            @Context RoutingContext http,
            @PathParam("workflow_id") String id,
            @Parameter(
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "0",
                                            maximum = "120",
                                            defaultValue = "30"),
                            description = "Maximum time to wait; 0 starts the instance asynchronously.")
                    @QueryParam("wait_seconds")
                    @Nullable
                    String waitSeconds,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey,
            @Nullable TriggerRequest body)
            throws InterruptedException {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        TriggerRequest request = body == null ? TriggerRequest.EMPTY : body;
        var validator = new RequestValidator();
        int wait = waitSeconds(waitSeconds, validator);
        instances.check(FileScope.of(caller), request.humanMsg, request.fileUrls, validator);
        validator.done();
        WorkflowId workflow = RequestValidator.pathId(id, "workflow", WorkflowId::parse);
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

    /** Reads {@code ?wait_seconds=}. */
    static int waitSeconds(@Nullable String text, RequestValidator validator) {
        if (text == null) {
            return DEFAULT_WAIT_SECONDS;
        }
        try {
            int seconds = Integer.parseInt(text);
            if (seconds >= 0 && seconds <= MAX_WAIT_SECONDS) {
                return seconds;
            }
        } catch (NumberFormatException _) {
            // Told below.
        }
        validator.requireParameter(false, "wait_seconds", "'wait_seconds' must be a whole number from 0 to 120.");
        return 0;
    }
}
