package dev.parley.workflow.instance.api;

import dev.parley.apikey.ApiKeyRevalidation;
import dev.parley.event.SseBroker;
import dev.parley.http.ApiKeyCaller;
import dev.parley.http.RequestValidator;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.StoredInstance;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Live events of workflow instances, for API keys; they end with the instance. */
@Path("/developer/api/workflow_instances/{workflow_instance_id}/events")
@Produces(MediaType.WILDCARD) // A browser asks for an event stream only, and may get a problem.
@NonBlocking
@Tag(name = "Live events")
public final class InstanceEventsResource {
    private final InstanceService instances;
    private final SseBroker streams;
    private final LiveInstances live;
    private final ApiKeyRevalidation keys;

    public InstanceEventsResource(
            InstanceService instances, SseBroker streams, LiveInstances live, ApiKeyRevalidation keys) {
        this.instances = instances;
        this.streams = streams;
        this.live = live;
        this.keys = keys;
    }

    @GET
    @Operation(
            summary = "Follow a workflow instance live",
            description = "Server-sent events of its status, its tickets and its messages, with the types and payloads"
                    + " of the webhooks. The stream ends after the event of a terminal status; 204 tells that the"
                    + " instance has ended and there is nothing more to send.")
    @APIResponse(
            responseCode = "200",
            description = "Server-sent events, as long as the connection lasts",
            content = @Content(mediaType = "text/event-stream", schema = @Schema(type = SchemaType.STRING)))
    @APIResponse(responseCode = "204", description = "The instance has ended, and nothing is left to send")
    public CompletionStage<Response> follow(
            @Context RoutingContext http,
            @PathParam("workflow_instance_id") String id,
            @Parameter(description = SseBroker.RESUME) @QueryParam("last_event_id") @Nullable String lastEventId) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        return streams.open(http, lastEventId, () -> {
            StoredInstance found = instances.find(
                    caller.organization(), RequestValidator.pathId(id, "workflow instance", WorkflowInstanceId::parse));
            if (!caller.sees(found.header().teamId())) {
                throw ApiProblem.notFound("workflow instance");
            }
            caller.requireWorkflow(found.header().workflow());
            return live.subject(found, "key " + caller.key(), () -> keys.holds(caller));
        });
    }
}
