package dev.parley.workflow.instance.api;

import static dev.parley.http.access.Access.Caller.MEMBER;
import static dev.parley.workflow.ticket.TicketResource.CHANGED;
import static dev.parley.workflow.ticket.TicketResource.NOT_OPEN;

import dev.parley.http.BulkAction;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Text;
import dev.parley.id.TicketId;
import dev.parley.organization.MemberRequest;
import dev.parley.workflow.ticket.TicketAccess;
import dev.parley.workflow.ticket.TicketListResource;
import dev.parley.workflow.ticket.TicketListResource.BulkResults;
import dev.parley.workflow.ticket.TicketService;
import dev.parley.workflow.ticket.store.TicketActor;
import dev.parley.workflow.ticket.store.TicketDetails;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Answers to tickets in the dashboard's API: what ends them, and lets their instances continue. */
@Path("/dashboard/api/organizations/{orgId}/tickets")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Tickets")
@Access(MEMBER)
public final class TicketAnswerResource {
    private static final int MAX_REASON_LENGTH = 2_000;

    private final TicketService tickets;
    private final TicketAnswers answers;
    private final TicketAccess access;

    TicketAnswerResource(TicketService tickets, TicketAnswers answers, TicketAccess access) {
        this.tickets = tickets;
        this.answers = answers;
        this.access = access;
    }

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
    @FurtherChecks
    @Schema(name = "TicketRejection")
    public record TicketRejectionRequest(
            @NotNull @Text(min = 1, max = MAX_REASON_LENGTH) String reason) {}

    /** The tickets to reject, and why. */
    @Schema(name = "TicketBulkRejection")
    public record BulkRejection(
            @NotNull @Size(min = 1, max = BulkAction.MAX_IDS)
            List<@NotNull TicketId> ticketIds,

            @NotNull @Text(min = 1, max = MAX_REASON_LENGTH) String reason) {}

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
            @BeanParam MemberRequest member, @PathParam("ticketId") TicketId id, AnswerRequest answer) {
        Map<String, @Nullable Object> values = answer.answer == null ? Map.of() : answer.answer;
        return answers.complete(member.organization(), id, access.actor(member), values);
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
            @BeanParam MemberRequest member, @PathParam("ticketId") TicketId id, TicketRejectionRequest rejection) {
        TicketActor actor = access.actor(member);
        var _ = tickets.see(member.organization(), id, actor);
        RequestValidator.of(rejection).done();
        return answers.reject(member.organization(), id, actor, rejection.reason);
    }

    @POST
    @Path("/{ticketId}/retry")
    @Consumes(MediaType.WILDCARD)
    @Operation(summary = "Run the task of an Exception ticket again")
    @APIResponse(responseCode = "200", description = CHANGED)
    @APIResponse(responseCode = "409", description = "The ticket is not an Exception ticket, or: " + NOT_OPEN)
    public TicketDetails retry(@BeanParam MemberRequest member, @PathParam("ticketId") TicketId id) {
        return answers.retry(member.organization(), id, access.actor(member));
    }

    @POST
    @Path("/reject")
    @Operation(
            summary = "Reject several tickets",
            description = "All for the same reason. Each ticket is rejected by itself; the result has an entry for"
                    + " each.")
    @APIResponse(responseCode = "200", description = "What happened to each ticket")
    public BulkResults rejectAll(@BeanParam MemberRequest member, BulkRejection rejection) {
        TicketActor actor = access.actor(member);
        return TicketListResource.each(
                rejection.ticketIds, id -> answers.reject(member.organization(), id, actor, rejection.reason));
    }
}
