package dev.parley.conversation;

import dev.parley.event.SseBroker;
import dev.parley.event.SseBroker.Subject;
import dev.parley.http.DashboardUser;
import dev.parley.http.RequestValidator;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.organization.SessionRevalidation;
import dev.parley.problem.ApiProblem;
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

/** Live events of conversations, for dashboard users. */
@Path("/dashboard/api/organizations/{orgId}/conversations/{conversationId}/events")
@Produces(MediaType.WILDCARD) // A browser accepts only an event stream, but must be able to get a problem.
@NonBlocking
@Tag(name = "Live events")
public final class ConversationEventsDashboard {
    private final ConversationStore store;
    private final SseBroker streams;
    private final SessionRevalidation sessions;
    private final OrganizationAccess access;

    public ConversationEventsDashboard(
            ConversationStore store, SseBroker streams, SessionRevalidation sessions, OrganizationAccess access) {
        this.store = store;
        this.streams = streams;
        this.sessions = sessions;
        this.access = access;
    }

    @GET
    @Operation(summary = "Follow a conversation live, as the developer API does")
    @APIResponse(
            responseCode = "200",
            description = "Server-sent events, as long as the connection lasts",
            content = @Content(mediaType = "text/event-stream", schema = @Schema(type = SchemaType.STRING)))
    public CompletionStage<Response> follow(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("conversationId") String id,
            @Parameter(description = SseBroker.RESUME) @QueryParam("last_event_id") @Nullable String lastEventId) {
        return streams.open(http, lastEventId, () -> {
            OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
            ConversationRef found = store.ref(
                            organization, RequestValidator.pathId(id, "conversation", ConversationId::parse))
                    .orElseThrow(() -> ApiProblem.notFound("conversation"));
            return Subject.ofConversation(
                    organization,
                    found.id(),
                    SessionRevalidation.name(http, organization),
                    sessions.of(http, organization));
        });
    }
}
