package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationService;
import dev.parley.conversation.ConversationUsecase;
import dev.parley.http.Viewer;
import dev.parley.organization.OrganizationAccess;
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
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Stopping a reply of the chat model in the dashboard. */
@Path("/dashboard/api/organizations/{orgId}/conversations/{id}/stop")
@RunOnVirtualThread
@Tag(name = "Dashboard: conversations")
public final class ReplyStopResource {
    private final ConversationService conversations;
    private final ReplyStopper stopper;
    private final OrganizationAccess access;

    ReplyStopResource(ConversationService conversations, ReplyStopper stopper, OrganizationAccess access) {
        this.conversations = conversations;
        this.stopper = stopper;
        this.access = access;
    }

    @POST
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Stop the reply that the chat model is writing",
            description = "The message that it answers becomes FAILED, with a notice. Without such a reply, nothing "
                    + "happens.")
    @APIResponse(responseCode = "204", description = "Accepted")
    @APIResponse(responseCode = "409", description = "An agent answers in this conversation: cancel its run instead")
    public Response stop(@Context RoutingContext http, @Context UriInfo uri, @PathParam("id") String id) {
        Viewer viewer = access.viewer(http, uri);
        ConversationRef conversation = conversations.find(viewer, id);
        if (conversation.usecase() != ConversationUsecase.DEFAULT) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "An agent answers in this conversation: cancel its run instead.");
        }
        stopper.stop(conversation);
        return Response.noContent().build();
    }
}
