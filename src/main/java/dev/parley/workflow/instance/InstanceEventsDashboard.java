package dev.parley.workflow.instance;

import dev.parley.event.LiveStreams;
import dev.parley.http.Checks;
import dev.parley.http.Person;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.organization.Access;
import dev.parley.organization.LiveSessions;
import dev.parley.organization.Role;
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

/** Live events of workflow instances, for people (DECISIONS 2); they end with the instance. */
@Path("/dashboard/api/organizations/{orgId}/instances/{instanceId}/events")
@Produces(MediaType.WILDCARD) // A browser asks for an event stream only, and may get a problem.
@NonBlocking
@Tag(name = "Live events")
public final class InstanceEventsDashboard {
    private final Instances instances;
    private final LiveStreams streams;
    private final LiveInstances live;
    private final LiveSessions sessions;
    private final Access access;

    public InstanceEventsDashboard(
            Instances instances, LiveStreams streams, LiveInstances live, LiveSessions sessions, Access access) {
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
            @Parameter(description = LiveStreams.RESUME) @QueryParam("last_event_id") @Nullable String lastEventId) {
        return streams.open(http, lastEventId, () -> {
            OrganizationId organization = access.require(Person.of(http), orgId, Role.MEMBER);
            StoredInstance found =
                    instances.find(organization, Checks.pathId(id, "workflow instance", WorkflowInstanceId::parse));
            return live.subject(found, LiveSessions.name(http, organization), sessions.of(http, organization));
        });
    }
}
