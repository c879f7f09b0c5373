package dev.parley.message.chat;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationService;
import dev.parley.conversation.ConversationUsecase;
import dev.parley.http.access.Access;
import dev.parley.http.access.Viewer;
import dev.parley.id.ConversationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Stopping a reply of the chat model in the dashboard. */
@Path("/dashboard/api/organizations/{orgId}/conversations/{conversationId}/stop")
@RunOnVirtualThread
@Tag(name = "Conversations")
@Access(MEMBER)
public final class ReplyStopResource {
    private final ConversationService conversations;
    private final ReplyStopper stopper;

    ReplyStopResource(ConversationService conversations, ReplyStopper stopper) {
        this.conversations = conversations;
        this.stopper = stopper;
    }

    @POST
    @Consumes(MediaType.WILDCARD)
    @Operation(
            operationId = "stopReply",
            summary = "Stop the reply that the chat model is writing",
            description = "The message that it answers becomes FAILED, with a notice. Without such a reply, nothing "
                    + "happens.")
    @APIResponse(responseCode = "204", description = "Accepted")
    @APIResponse(responseCode = "409", description = "An agent answers in this conversation: cancel its run instead")
    public void stop(@Context RoutingContext http, @PathParam("conversationId") ConversationId id) {
        ConversationRef conversation = conversations.find(Viewer.of(http), id);
        if (conversation.usecase() != ConversationUsecase.DEFAULT) {
            throw ApiProblem.of(
                    ProblemKind.NOT_CHANGEABLE, "An agent answers in this conversation: cancel its run instead.");
        }
        stopper.stop(conversation);
    }
}
