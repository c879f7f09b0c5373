package dev.parley.workflow.ticket;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Text;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.organization.MemberRequest;
import dev.parley.workflow.ticket.store.Ticket;
import dev.parley.workflow.ticket.store.TicketActor;
import dev.parley.workflow.ticket.store.TicketAssignee;
import dev.parley.workflow.ticket.store.TicketDetails;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
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
@Access(MEMBER)
public final class TicketResource {
    public static final String CHANGED = "The changed ticket";
    public static final String NOT_OPEN =
            "The ticket is no longer open, or another person has claimed it; `status` has the ticket's status";

    private final TicketService store;
    private final TicketAccess access;

    TicketResource(TicketService store, TicketAccess access) {
        this.store = store;
        this.access = access;
    }

    /** A request to assign a ticket. */
    @FurtherChecks
    @Schema(name = "TicketReassignment")
    public record Reassignment(
            @NotNull
            @Schema(
                    implementation = String.class,
                    enumeration = {"User", "Team"},
                    examples = "Team")
            AssigneeType assignmentType,

            @NotNull
            @Text(min = 1, max = TicketAccess.MAX_ASSIGNEE_LENGTH)
            @Schema(description = "A user's id, or a team's integer id as text", examples = "3")
            String assigneeId) {}

    /** A comment. */
    @FurtherChecks
    @Schema(name = "TicketComment")
    public record Comment(
            @NotNull @Text(min = 1, max = 10_000) String text,

            @Size(max = TicketAccess.MAX_MENTIONS)
            @Schema(
                    description = "Ids of the users whom the text mentions as `@Name`. They get an email. Each must be"
                            + " a member of the organization who may see the ticket.")
            @Nullable
            List<@Nullable String> mentions) {}

    @GET
    @Path("/{ticketId}")
    @Operation(summary = "Read a ticket", description = "Includes the form, inputs, answer and history.")
    public TicketDetails get(@BeanParam MemberRequest member, @PathParam("ticketId") TicketId id) {
        return store.see(member.organization(), id, access.actor(member));
    }

    @POST
    @Path("/{ticketId}/claim")
    @Consumes(MediaType.WILDCARD)
    @Operation(summary = "Claim a ticket", description = "Claiming a ticket again has no effect.")
    @APIResponse(responseCode = "200", description = CHANGED)
    @APIResponse(responseCode = "409", description = NOT_OPEN)
    public TicketDetails claim(@BeanParam MemberRequest member, @PathParam("ticketId") TicketId id) {
        return store.claim(member.organization(), id, access.actor(member));
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
    public TicketDetails takeOver(@BeanParam MemberRequest member, @PathParam("ticketId") TicketId id) {
        return store.takeOver(member.organization(), id, access.actor(member));
    }

    @POST
    @Path("/{ticketId}/release")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Release a claimed ticket",
            description = "Admins and owners may also release tickets that other people claimed.")
    @APIResponse(responseCode = "200", description = CHANGED)
    @APIResponse(responseCode = "409", description = "The ticket is not claimed, or: " + NOT_OPEN)
    public TicketDetails release(@BeanParam MemberRequest member, @PathParam("ticketId") TicketId id) {
        return store.release(member.organization(), id, access.actor(member));
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
            @BeanParam MemberRequest member, @PathParam("ticketId") TicketId id, Reassignment to) {
        TicketActor actor = access.actor(member);
        var _ = store.see(member.organization(), id, actor);
        RequestValidator.of(to).done();
        TicketAssignee assignee = access.assignee(member.organization(), to.assignmentType, to.assigneeId);
        return store.reassign(member.organization(), id, actor, assignee);
    }

    @POST
    @Path("/{ticketId}/comment")
    @Operation(operationId = "commentOnTicket", summary = "Comment on a ticket", description = "Also after its end.")
    @APIResponse(responseCode = "200", description = CHANGED)
    public TicketDetails comment(@BeanParam MemberRequest member, @PathParam("ticketId") TicketId id, Comment comment) {
        TicketActor actor = access.actor(member);
        Ticket ticket = store.see(member.organization(), id, actor).ticket();
        var validator = RequestValidator.of(comment);
        List<@Nullable String> ids = comment.mentions == null ? List.of() : comment.mentions;
        List<UserId> mentions = access.mentions(member.organization(), ticket, ids, validator);
        validator.done();
        return store.comment(member.organization(), id, actor, comment.text, mentions);
    }
}
