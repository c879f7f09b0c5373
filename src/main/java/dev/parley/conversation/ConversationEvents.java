package dev.parley.conversation;

import dev.parley.apikey.ApiKeyRevalidation;
import dev.parley.event.SseBroker;
import dev.parley.event.SseBroker.Subject;
import dev.parley.http.ApiKeyCaller;
import dev.parley.http.RequestValidator;
import dev.parley.id.ConversationId;
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

/** Live events of conversations, for API keys. */
@Path("/developer/api/conversations/{conversation_id}/events")
@Produces(MediaType.WILDCARD) // A browser accepts only an event stream, but must be able to get a problem.
@NonBlocking
@Tag(name = "Live events")
public final class ConversationEvents {
    private final ConversationStore store;
    private final SseBroker streams;
    private final ApiKeyRevalidation keys;

    public ConversationEvents(ConversationStore store, SseBroker streams, ApiKeyRevalidation keys) {
        this.store = store;
        this.streams = streams;
        this.keys = keys;
    }

    @GET
    @Operation(
            summary = "Follow a conversation live",
            description = "Server-sent events with the types and payloads of the webhooks. Each has an id; who comes"
                    + " back with it as Last-Event-ID misses nothing of the last 24 hours. A comment comes every 15"
                    + " seconds when nothing else does.")
    @APIResponse(
            responseCode = "200",
            description = "Server-sent events, as long as the connection lasts",
            content = @Content(mediaType = "text/event-stream", schema = @Schema(type = SchemaType.STRING)))
    public CompletionStage<Response> follow(
            @Context RoutingContext http,
            @PathParam("conversation_id") String id,
            @Parameter(description = SseBroker.RESUME) @QueryParam("last_event_id") @Nullable String lastEventId) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        return streams.open(http, lastEventId, () -> {
            ConversationRef found = store.ref(
                            caller.organization(), RequestValidator.pathId(id, "conversation", ConversationId::parse))
                    .filter(one -> caller.sees(one.teamId()))
                    .orElseThrow(() -> ApiProblem.notFound("conversation"));
            caller.requireWorkflow(found.workflowId());
            return Subject.ofConversation(
                    caller.organization(), found.id(), "key " + caller.key(), () -> keys.holds(caller));
        });
    }
}
