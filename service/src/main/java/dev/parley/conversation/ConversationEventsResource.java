package dev.parley.conversation;

import static dev.parley.http.access.Access.Caller.KEY;
import static dev.parley.http.access.Access.Caller.USER;

import dev.parley.apikey.ViewerRevalidation;
import dev.parley.event.sse.SseBroker;
import dev.parley.event.sse.SseBroker.SseStream;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.access.Viewer;
import dev.parley.id.ConversationId;
import dev.parley.organization.OrganizationAccess;
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

/** Live events of a conversation, for API keys and for dashboard users. */
@Produces(MediaType.WILDCARD) // A browser accepts only an event stream, but may receive a problem.
@NonBlocking
public abstract class ConversationEventsResource {
    private final ConversationService conversations;
    private final SseBroker streams;
    private final ViewerRevalidation viewers;
    private final OrganizationAccess access;
    private final String idParameter;

    ConversationEventsResource(
            ConversationService conversations,
            SseBroker streams,
            ViewerRevalidation viewers,
            OrganizationAccess access,
            String idParameter) {
        this.conversations = conversations;
        this.streams = streams;
        this.viewers = viewers;
        this.access = access;
        this.idParameter = idParameter;
    }

    @GET
    @Operation(
            summary = "Stream the events of a conversation",
            description = "Server-sent events with the types and payloads of the webhooks. Each has an id; a client"
                    + " that reconnects with it as Last-Event-ID misses no event of the last 24 hours. A comment is"
                    + " sent after 15 seconds without an event. While a model writes, message.delta (message_id, index,"
                    + " text) carries the text of the reply and task.delta (workflow_instance_id, task_id, item, attempt,"
                    + " index, text) that of an AI task. They have no id and are not stored; message.delta_reset"
                    + " (message_id) makes a text void, and message.created with the whole reply replaces it.")
    @APIResponse(
            responseCode = "200",
            description = "Server-sent events until the connection closes",
            content = @Content(mediaType = "text/event-stream", schema = @Schema(type = SchemaType.STRING)))
    public CompletionStage<Response> follow(
            @Context RoutingContext http,
            @Context UriInfo uri,
            @Parameter(description = SseBroker.RESUME) @QueryParam("last_event_id") @Nullable String lastEventId) {
        return streams.open(http, lastEventId, () -> {
            Viewer viewer = access.viewer(http, uri);
            ConversationId id = RequestValidator.pathId(
                    uri.getPathParameters().getFirst(idParameter), "conversation", ConversationId::parse);
            ConversationRef found = conversations.find(viewer, id);
            return SseStream.ofConversation(viewer.organization(), found.id(), viewers.guard(viewer, http));
        });
    }

    /** The stream in the developer API. */
    @Access(KEY)
    @Path("/developer/api/conversations/{conversation_id}/events")
    @Tag(name = "Live events")
    public static final class DeveloperConversationEventsResource extends ConversationEventsResource {
        public DeveloperConversationEventsResource(
                ConversationService conversations,
                SseBroker streams,
                ViewerRevalidation viewers,
                OrganizationAccess access) {
            super(conversations, streams, viewers, access, "conversation_id");
        }
    }

    /** The stream in the dashboard's API. */
    @Access(USER)
    @Path("/dashboard/api/organizations/{orgId}/conversations/{conversationId}/events")
    @Tag(name = "Live events")
    public static final class DashboardConversationEventsResource extends ConversationEventsResource {
        public DashboardConversationEventsResource(
                ConversationService conversations,
                SseBroker streams,
                ViewerRevalidation viewers,
                OrganizationAccess access) {
            super(conversations, streams, viewers, access, "conversationId");
        }
    }
}
