package dev.parley.workflow.ticket;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.http.BulkAction;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.Text;
import dev.parley.id.TicketId;
import dev.parley.organization.MemberRequest;
import dev.parley.workflow.ticket.core.TicketStatus;
import dev.parley.workflow.ticket.store.TicketActor;
import dev.parley.workflow.ticket.store.TicketAssignee;
import dev.parley.workflow.ticket.store.TicketFilter;
import dev.parley.workflow.ticket.store.TicketFilter.Scope;
import dev.parley.workflow.ticket.store.TicketSummary;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Lists of tickets in the dashboard's API, and actions on several tickets at once. */
@Path("/dashboard/api/organizations/{orgId}/tickets")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Tickets")
@Access(MEMBER)
public final class TicketListResource {
    private static final Set<TicketStatus> OPEN = EnumSet.of(TicketStatus.OPEN, TicketStatus.IN_PROGRESS);

    private final TicketService store;
    private final TicketInbox inbox;
    private final TicketAccess access;

    TicketListResource(TicketService store, TicketInbox inbox, TicketAccess access) {
        this.store = store;
        this.inbox = inbox;
        this.access = access;
    }

    /**
     * The number of tickets.
     *
     * @param orMore whether there may be more, because counting stopped at the limit
     */
    @Schema(name = "TicketCount")
    public record TicketCount(@Schema(examples = "7") int count, boolean orMore) {}

    /** The tickets to claim or release. */
    @Schema(name = "TicketBulkSelection")
    public record BulkSelection(
            @NotNull @Size(min = 1, max = BulkAction.MAX_IDS)
            List<@NotNull TicketId> ticketIds) {}

    /** The tickets to assign to one user or team. */
    @Schema(name = "TicketBulkReassignment")
    public record BulkReassignment(
            @NotNull @Size(min = 1, max = BulkAction.MAX_IDS)
            List<@NotNull TicketId> ticketIds,

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

    /** What happened to one ticket. */
    @Schema(name = "TicketBulkResult")
    public record BulkResult(
            TicketId ticketId,
            boolean succeeded,

            @Schema(description = "Why the ticket was not changed; null if it was", examples = "Conflict") @Nullable
            String error,

            @Schema(description = "The error as a sentence") @Nullable
            String detail,

            @Schema(description = "The error for programs, as in an error body", examples = "wrong_status") @Nullable
            String code) {}

    /** The results in the order of the request. */
    @Schema(name = "TicketBulkResults")
    public record BulkResults(List<BulkResult> results) {}

    @GET
    @Operation(
            summary = "List tickets",
            description = "Without forms, inputs, answers and histories. An order other than by creation, a search and"
                    + " the filters `workflow_id`, `available`, `test_run`"
                    + " and `overdue` consider the newest 10,000 tickets with the statuses.")
    public Page<TicketSummary> list(
            @BeanParam MemberRequest member,
            @BeanParam TicketFilterParameters filter,
            @Parameter(
                            description = "`created`: newest first; `oldest`: oldest first; `due`: due next first, then"
                                    + " high priority first; `priority`: high first; `updated`: latest change first;"
                                    + " `resolved`: latest end first",
                            schema =
                                    @Schema(
                                            enumeration = {"created", "oldest", "due", "priority", "updated", "resolved"
                                            },
                                            defaultValue = "created"))
                    @QueryParam("sort")
                    @Nullable
                    String sort,
            @BeanParam PageRequest page) {
        var validator = new RequestValidator();
        TicketFilter requested = filter.read(Scope.ALL, Set.of(), validator);
        TicketSort by = validator.parameterEnum(sort, "sort", TicketSort.class).orElse(TicketSort.CREATED);
        validator.done();
        Optional<TicketCursor> cursor = page.after(text -> TicketCursor.parse(by, text));
        return page.page(
                inbox.list(member.organization(), access.actor(member), requested, by, cursor, page.rows()),
                found -> TicketCursor.of(by, found.ticket()).text());
    }

    @GET
    @Path("/count")
    @Operation(
            summary = "Count tickets",
            description =
                    "By default counts the tickets that are OPEN or IN_PROGRESS and assigned to the user or the user's teams, or claimed"
                            + " by the user. The count stops at 10,000.")
    public TicketCount count(@BeanParam MemberRequest member, @BeanParam TicketFilterParameters filter) {
        var validator = new RequestValidator();
        TicketFilter requested = filter.read(Scope.MINE, OPEN, validator);
        validator.done();
        int counted = inbox.count(member.organization(), access.actor(member), requested);
        return new TicketCount(counted, counted == TicketInbox.MAX_EXAMINED);
    }

    @POST
    @Path("/claim")
    @Operation(
            summary = "Claim several tickets",
            description = "Each ticket is claimed by itself; the result has an entry for each.")
    @APIResponse(responseCode = "200", description = "What happened to each ticket")
    public BulkResults claim(@BeanParam MemberRequest member, BulkSelection tickets) {
        TicketActor actor = access.actor(member);
        return each(tickets.ticketIds, id -> store.claim(member.organization(), id, actor));
    }

    @POST
    @Path("/reassign")
    @Operation(
            summary = "Reassign several tickets",
            description = "Each ticket is reassigned by itself; the result has an entry for each.")
    @APIResponse(responseCode = "200", description = "What happened to each ticket")
    public BulkResults reassign(@BeanParam MemberRequest member, BulkReassignment to) {
        TicketActor actor = access.actor(member);
        TicketAssignee assignee = access.assignee(member.organization(), to.assignmentType, to.assigneeId);
        return each(to.ticketIds, id -> store.reassign(member.organization(), id, actor, assignee));
    }

    @POST
    @Path("/release")
    @Operation(
            summary = "Release several tickets",
            description = "Each ticket is released by itself; the result has an entry for each.")
    @APIResponse(responseCode = "200", description = "What happened to each ticket")
    public BulkResults release(@BeanParam MemberRequest member, BulkSelection tickets) {
        TicketActor actor = access.actor(member);
        return each(tickets.ticketIds, id -> store.release(member.organization(), id, actor));
    }

    /** Changes each ticket by itself. */
    public static BulkResults each(List<TicketId> ticketIds, Consumer<TicketId> change) {
        return new BulkResults(BulkAction.each(ticketIds, change, BulkResult::new));
    }
}
