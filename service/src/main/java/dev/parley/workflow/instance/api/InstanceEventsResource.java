package dev.parley.workflow.instance.api;

import static dev.parley.http.access.Access.Caller.KEY;
import static dev.parley.http.access.Access.Caller.USER;

import dev.parley.apikey.ViewerRevalidation;
import dev.parley.event.sse.SseBroker;
import dev.parley.http.access.Access;
import dev.parley.http.access.Viewer;
import dev.parley.organization.OrganizationAccess;
import dev.parley.workflow.instance.run.InstanceService;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Live events of a workflow instance, for API keys and for dashboard users. The stream ends with the instance. */
@Produces(MediaType.WILDCARD) // A browser accepts only an event stream, but may receive a problem.
@NonBlocking
public abstract class InstanceEventsResource {
    private final InstanceService instances;
    private final SseBroker streams;
    private final LiveInstances live;
    private final ViewerRevalidation viewers;
    private final OrganizationAccess access;
    private final String idParameter;

    InstanceEventsResource(
            InstanceService instances,
            SseBroker streams,
            LiveInstances live,
            ViewerRevalidation viewers,
            OrganizationAccess access,
            String idParameter) {
        this.instances = instances;
        this.streams = streams;
        this.live = live;
        this.viewers = viewers;
        this.access = access;
        this.idParameter = idParameter;
    }

    @GET
    @Operation(
            summary = "Stream the events of a workflow instance",
            description = "Server-sent events of its status, its tickets and its messages, with the types and payloads"
                    + " of the webhooks. The stream ends after the event of a terminal status; 204 means that the"
                    + " instance has ended and all its events have been sent. While a model writes, task.delta"
                    + " (workflow_instance_id, task_id, item, attempt, index, text) carries the text of an AI task; it"
                    + " has no id and is not stored.")
    @APIResponse(
            responseCode = "200",
            description = "Server-sent events until the connection closes",
            content = @Content(mediaType = "text/event-stream", schema = @Schema(type = SchemaType.STRING)))
    @APIResponse(responseCode = "204", description = "The instance has ended, and all its events have been sent")
    public CompletionStage<Response> follow(
            @Context RoutingContext http,
            @Context UriInfo uri,
            @Parameter(description = SseBroker.RESUME) @QueryParam("last_event_id") @Nullable String lastEventId) {
        return streams.open(http, lastEventId, () -> {
            Viewer viewer = access.viewer(http, uri);
            var instance = instances.find(viewer, uri.getPathParameters().getFirst(idParameter));
            return live.subject(instance, viewers.guard(viewer, http));
        });
    }

    /** The stream in the developer API. */
    @Access(KEY)
    @Path("/developer/api/workflow_instances/{workflow_instance_id}/events")
    @Tag(name = "Live events")
    public static final class DeveloperInstanceEventsResource extends InstanceEventsResource {
        public DeveloperInstanceEventsResource(
                InstanceService instances,
                SseBroker streams,
                LiveInstances live,
                ViewerRevalidation viewers,
                OrganizationAccess access) {
            super(instances, streams, live, viewers, access, "workflow_instance_id");
        }
    }

    /** The stream in the dashboard's API. */
    @Access(USER)
    @Path("/dashboard/api/organizations/{orgId}/instances/{instanceId}/events")
    @Tag(name = "Live events")
    public static final class DashboardInstanceEventsResource extends InstanceEventsResource {
        public DashboardInstanceEventsResource(
                InstanceService instances,
                SseBroker streams,
                LiveInstances live,
                ViewerRevalidation viewers,
                OrganizationAccess access) {
            super(instances, streams, live, viewers, access, "instanceId");
        }
    }
}
