package dev.parley.workflow.instance.api;

import dev.parley.event.SseBroker;
import dev.parley.http.DashboardUser;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.organization.SessionRevalidation;
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

/** Live events of workflow instances, for people; they end with the instance. */
@Path("/dashboard/api/organizations/{orgId}/instances/{instanceId}/events")
@Produces(MediaType.WILDCARD) // A browser asks for an event stream only, and may get a problem.
@NonBlocking
@Tag(name = "Live events")
public final class InstanceEventsDashboard {
    private final InstanceService instances;
    private final SseBroker streams;
    private final LiveInstances live;
    private final SessionRevalidation sessions;
    private final OrganizationAccess access;

    public InstanceEventsDashboard(
            InstanceService instances,
            SseBroker streams,
            LiveInstances live,
            SessionRevalidation sessions,
            OrganizationAccess access) {
        this.instances = instances;
        this.streams = streams;
        this.live = live;
        this.sessions = sessions;
        this.access = access;
    }

    @GET
    @Operation(summary = "Follow a workflow instance live, as the developer API does")
    @APIResponse(
            responseCode = "200",
            description = "Server-sent events, as long as the connection lasts",
            content = @Content(mediaType = "text/event-stream", schema = @Schema(type = SchemaType.STRING)))
    @APIResponse(responseCode = "204", description = "The instance has ended, and nothing is left to send")
    public CompletionStage<Response> follow(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("instanceId") String id,
            @Parameter(description = SseBroker.RESUME) @QueryParam("last_event_id") @Nullable String lastEventId) {
        return streams.open(http, lastEventId, () -> {
            OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
            StoredInstance found = instances.find(
                    organization, RequestValidator.pathId(id, "workflow instance", WorkflowInstanceId::parse));
            return live.subject(found, SessionRevalidation.name(http, organization), sessions.of(http, organization));
        });
    }
}
