package dev.parley.workflow.ticket;

import dev.parley.http.DashboardUser;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * Tickets in the dashboard's API. Admins and owners have access to all tickets of the organization, members to their
 * own and their teams'; other members get 403.
 */
@Path("/dashboard/api/organizations/{orgId}/tickets")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Tickets")
public final class TicketResource {
    private static final int MAX_COMMENT_LENGTH = 10_000;
    static final int MAX_REASON_LENGTH = 2_000;
    private static final String CHANGED = "The changed ticket";
    private static final String NOT_OPEN =
            "The ticket is no longer open, or another person has claimed it; `status` has the " + "ticket's status";

    private final TicketStore store;
    private final TicketAnswers answers;
    private final TicketAccess access;

    TicketResource(TicketStore store, TicketAnswers answers, TicketAccess access) {
        this.store = store;
        this.answers = answers;
        this.access = access;
    }

    /** A request to assign a ticket. */
    @Schema(name = "TicketReassignment")
    public record Reassignment(
            @Schema(
                    required = true,
                    enumeration = {"User", "Team"},
                    examples = "Team")
            @Nullable
            String assignmentType,

            @Schema(
                    required = true,
                    minLength = 1,
                    maxLength = TicketAccess.MAX_ASSIGNEE_LENGTH,
                    description = "A user's id, or a team's integer id as text",
                    examples = "3")
            @Nullable
            String assigneeId) {}

    /** A comment. */
    @Schema(name = "TicketComment")
    public record Comment(
            @Schema(required = true, minLength = 1, maxLength = MAX_COMMENT_LENGTH) @Nullable
            String text,

            @Schema(
                    maxItems = TicketAccess.MAX_MENTIONS,
                    description = "Ids of the users whom the text mentions as `@Name`. They get an email. Each must be"
                            + " a member of the organization who may see the ticket.")
            @Nullable
            List<@Nullable String> mentions) {}

    /** A submitted form. */
    @Schema(name = "TicketAnswer")
    public record AnswerRequest(
            @Schema(
                    type = SchemaType.OBJECT,
                    description = "Values by the names of the ticket's form; absent for an empty form",
                    examples = "{\"approved\": true}")
            @Nullable
            Map<String, @Nullable Object> answer) {}

    /** Why a ticket is rejected. */
    @Schema(name = "TicketRejection")
    public record TicketRejectionRequest(
            @Schema(required = true, minLength = 1, maxLength = MAX_REASON_LENGTH) @Nullable
            String reason) {}

    /** The caller and the ticket. */
    private record TicketRequestContext(OrganizationId organization, TicketId ticket, TicketActor actor) {}

    @GET
    @Path("/{ticketId}")
    @Operation(summary = "Read a ticket", description = "Includes the form, inputs, answer and history.")
    public TicketDetails get(
            @PathParam("orgId") String orgId, @PathParam("ticketId") String ticketId, @Context RoutingContext request) {
        TicketRequestContext context = context(orgId, ticketId, request);
        return requireVisible(context);
    }

    @POST
    @Path("/{ticketId}/claim")
    @Consumes(MediaType.WILDCARD)
    @Operation(summary = "Claim a ticket", description = "Claiming a ticket again has no effect.")
    @APIResponse(responseCode = "200", description = CHANGED)
    @APIResponse(responseCode = "409", description = NOT_OPEN)
    public TicketDetails claim(
            @PathParam("orgId") String orgId, @PathParam("ticketId") String ticketId, @Context RoutingContext request) {
        TicketRequestContext context = context(orgId, ticketId, request);
        return store.claim(context.organization, context.ticket, context.actor);
    }

    @POST
    @Path("/{ticketId}/take-over")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Take over a ticket",
            description = "Admins and owners claim a ticket that another person has claimed. Other people can only"
                    + " claim an unclaimed one.")
    @APIResponse(responseCode = "200", description = CHANGED)
    @APIResponse(responseCode = "409", description = NOT_OPEN)
    public TicketDetails takeOver(
            @PathParam("orgId") String orgId, @PathParam("ticketId") String ticketId, @Context RoutingContext request) {
        TicketRequestContext context = context(orgId, ticketId, request);
        return store.takeOver(context.organization, context.ticket, context.actor);
    }

    @POST
    @Path("/{ticketId}/release")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Release a claimed ticket",
            description = "Admins and owners may also release tickets that other people claimed.")
    @APIResponse(responseCode = "200", description = CHANGED)
    @APIResponse(responseCode = "409", description = "The ticket is not claimed, or: " + NOT_OPEN)
    public TicketDetails release(
            @PathParam("orgId") String orgId, @PathParam("ticketId") String ticketId, @Context RoutingContext request) {
        TicketRequestContext context = context(orgId, ticketId, request);
        return store.release(context.organization, context.ticket, context.actor);
    }

    @POST
    @Path("/{ticketId}/reassign")
    @Operation(
            summary = "Reassign a ticket",
            description = "Replaces the current assignees and removes the claim. Admins and owners may also "
                    + "reassign tickets that other people claimed.")
    @APIResponse(responseCode = "200", description = CHANGED)
    @APIResponse(responseCode = "409", description = NOT_OPEN)
    public TicketDetails reassign(
            @PathParam("orgId") String orgId,
            @PathParam("ticketId") String ticketId,
            Reassignment to,
            @Context RoutingContext request) {
        TicketRequestContext context = context(orgId, ticketId, request);
        requireVisible(context);
        TicketAssignee assignee = access.assignee(context.organization, to.assignmentType, to.assigneeId);
        return store.reassign(context.organization, context.ticket, context.actor, assignee);
    }

    @POST
    @Path("/{ticketId}/comment")
    @Operation(summary = "Comment on a ticket", description = "Also after its end.")
    @APIResponse(responseCode = "200", description = CHANGED)
    public TicketDetails comment(
            @PathParam("orgId") String orgId,
            @PathParam("ticketId") String ticketId,
            Comment comment,
            @Context RoutingContext request) {
        TicketRequestContext context = context(orgId, ticketId, request);
        Ticket ticket = requireVisible(context).ticket();
        var validator = new RequestValidator();
        String text = validator.text(comment.text, "/text", 1, MAX_COMMENT_LENGTH);
        List<@Nullable String> ids = comment.mentions == null ? List.of() : comment.mentions;
        List<UserId> mentions = access.mentions(context.organization, ticket, ids, validator);
        validator.done();
        return store.comment(context.organization, context.ticket, context.actor, text, mentions);
    }

    @POST
    @Path("/{ticketId}/complete")
    @Operation(
            summary = "Complete a ticket",
            description =
                    "The values become the task's outputs, or the inputs that it lacked. Of two people who complete"
                            + " it at once, one wins and the other gets 409.")
    @APIResponse(responseCode = "200", description = CHANGED)
    @APIResponse(responseCode = "409", description = NOT_OPEN)
    public TicketDetails complete(
            @PathParam("orgId") String orgId,
            @PathParam("ticketId") String ticketId,
            AnswerRequest answer,
            @Context RoutingContext request) {
        TicketRequestContext context = context(orgId, ticketId, request);
        Map<String, @Nullable Object> values = answer.answer == null ? Map.of() : answer.answer;
        return answers.complete(context.organization, context.ticket, context.actor, values);
    }

    @POST
    @Path("/{ticketId}/reject")
    @Operation(
            summary = "Reject a ticket",
            description =
                    "The task's `error_policy` decides what follows. Without one, or with RAISE, the run fails and the"
                            + " ticket is REJECTED. With IGNORE the task completes without outputs and the ticket is"
                            + " RESOLVED. With RETRY, at most five times, another ticket opens and this one is CLOSED;"
                            + " `replaced_by` names the other. On an Exception ticket this raises the exception.")
    @APIResponse(responseCode = "200", description = CHANGED)
    @APIResponse(responseCode = "409", description = NOT_OPEN)
    public TicketDetails reject(
            @PathParam("orgId") String orgId,
            @PathParam("ticketId") String ticketId,
            TicketRejectionRequest rejection,
            @Context RoutingContext request) {
        TicketRequestContext context = context(orgId, ticketId, request);
        requireVisible(context);
        String reason = requireText(rejection.reason, "/reason", MAX_REASON_LENGTH);
        return answers.reject(context.organization, context.ticket, context.actor, reason);
    }

    @POST
    @Path("/{ticketId}/retry")
    @Consumes(MediaType.WILDCARD)
    @Operation(summary = "Run the task of an Exception ticket again")
    @APIResponse(responseCode = "200", description = CHANGED)
    @APIResponse(responseCode = "409", description = "The ticket is not an Exception ticket, or: " + NOT_OPEN)
    public TicketDetails retry(
            @PathParam("orgId") String orgId, @PathParam("ticketId") String ticketId, @Context RoutingContext request) {
        TicketRequestContext context = context(orgId, ticketId, request);
        return answers.retry(context.organization, context.ticket, context.actor);
    }

    private TicketRequestContext context(String orgId, String ticketId, RoutingContext request) {
        OrganizationId organization = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        TicketActor actor = access.actor(DashboardUser.of(request), organization);
        return new TicketRequestContext(
                organization, RequestValidator.pathId(ticketId, "ticket", TicketId::parse), actor);
    }

    /** The ticket, or a 403 or 404; called before the body is validated. */
    private TicketDetails requireVisible(TicketRequestContext context) {
        return store.see(context.organization, context.ticket, context.actor);
    }

    static String requireText(@Nullable String value, String path, int maxLength) {
        var validator = new RequestValidator();
        String text = validator.text(value, path, 1, maxLength);
        validator.done();
        return text;
    }
}
