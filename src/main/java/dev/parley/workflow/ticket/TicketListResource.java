package dev.parley.workflow.ticket;

import dev.parley.http.BulkAction;
import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.workflow.ticket.TicketFilter.Scope;
import dev.parley.workflow.ticket.core.TicketStatus;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
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
public final class TicketListResource {
    private static final Set<TicketStatus> OPEN = EnumSet.of(TicketStatus.OPEN, TicketStatus.IN_PROGRESS);

    private final TicketStore store;
    private final TicketAnswers answers;
    private final TicketInbox inbox;
    private final TicketAccess access;

    TicketListResource(TicketStore store, TicketAnswers answers, TicketInbox inbox, TicketAccess access) {
        this.store = store;
        this.answers = answers;
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
            @Schema(required = true, minItems = 1, maxItems = BulkAction.MAX_IDS) @Nullable
            List<@Nullable String> ticketIds) {}

    /** The tickets to reject, and why. */
    @Schema(name = "TicketBulkRejection")
    public record BulkRejection(
            @Schema(required = true, minItems = 1, maxItems = BulkAction.MAX_IDS) @Nullable
            List<@Nullable String> ticketIds,

            @Schema(required = true, minLength = 1, maxLength = TicketResource.MAX_REASON_LENGTH) @Nullable
            String reason) {}

    /** The tickets to assign to one user or team. */
    @Schema(name = "TicketBulkReassignment")
    public record BulkReassignment(
            @Schema(required = true, minItems = 1, maxItems = BulkAction.MAX_IDS) @Nullable
            List<@Nullable String> ticketIds,

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

    /** What happened to one ticket. */
    @Schema(name = "TicketBulkResult")
    public record BulkResult(
            TicketId ticketId,
            boolean succeeded,

            @Schema(description = "Why the ticket was not changed; null if it was", examples = "Conflict") @Nullable
            String error,

            @Schema(description = "The error as a sentence") @Nullable
            String detail) {}

    /** The results in the order of the request. */
    @Schema(name = "TicketBulkResults")
    public record BulkResults(List<BulkResult> results) {
        public BulkResults {
            results = List.copyOf(results);
        }
    }

    @GET
    @Operation(
            summary = "List tickets",
            description = "Without forms, inputs, answers and histories. An order other than by creation, a search and"
                    + " the filters `workflow_id`, `available`, `test_run`"
                    + " and `overdue` consider the newest 10,000 tickets with the statuses.")
    public Page<TicketSummary> list(
            @PathParam("orgId") String orgId,
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
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId organization = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        TicketActor actor = access.actor(DashboardUser.of(request), organization);
        var validator = new RequestValidator();
        TicketFilter wanted = filter.read(Scope.ALL, Set.of(), validator);
        Optional<TicketSort> order = sort == null ? Optional.of(TicketSort.CREATED) : TicketSort.parse(sort);
        validator.requireParameter(
                order.isPresent(), "sort", "'sort' must be created, oldest, due, priority or updated.");
        validator.done();
        TicketSort by = order.orElseThrow();
        int most = Page.limit(limit);
        Optional<TicketCursor> cursor = Page.after(after, text -> TicketCursor.parse(by, text));
        return Page.of(inbox.list(organization, actor, wanted, by, cursor, most + 1), most, found -> TicketCursor.of(
                        by, found.ticket())
                .text());
    }

    @GET
    @Path("/count")
    @Operation(
            summary = "Count tickets",
            description =
                    "By default counts the tickets that are OPEN or IN_PROGRESS and assigned to the user or the user's teams, or claimed"
                            + " by the user. The count stops at 10,000.")
    public TicketCount count(
            @PathParam("orgId") String orgId,
            @BeanParam TicketFilterParameters filter,
            @Context RoutingContext request) {
        OrganizationId organization = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        TicketActor actor = access.actor(DashboardUser.of(request), organization);
        var validator = new RequestValidator();
        TicketFilter wanted = filter.read(Scope.MINE, OPEN, validator);
        validator.done();
        int counted = inbox.count(organization, actor, wanted);
        return new TicketCount(counted, counted == TicketInbox.MAX_EXAMINED);
    }

    @POST
    @Path("/claim")
    @Operation(
            summary = "Claim several tickets",
            description = "Each ticket is claimed by itself; the result has an entry for each.")
    @APIResponse(responseCode = "200", description = "What happened to each ticket")
    public BulkResults claim(@PathParam("orgId") String orgId, BulkSelection tickets, @Context RoutingContext request) {
        OrganizationId organization = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        TicketActor actor = access.actor(DashboardUser.of(request), organization);
        return each(tickets.ticketIds, id -> store.claim(organization, id, actor));
    }

    @POST
    @Path("/reassign")
    @Operation(
            summary = "Reassign several tickets",
            description = "Each ticket is reassigned by itself; the result has an entry for each.")
    @APIResponse(responseCode = "200", description = "What happened to each ticket")
    public BulkResults reassign(
            @PathParam("orgId") String orgId, BulkReassignment to, @Context RoutingContext request) {
        OrganizationId organization = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        TicketActor actor = access.actor(DashboardUser.of(request), organization);
        TicketAssignee assignee = access.assignee(organization, to.assignmentType, to.assigneeId);
        return each(to.ticketIds, id -> store.reassign(organization, id, actor, assignee));
    }

    @POST
    @Path("/release")
    @Operation(
            summary = "Release several tickets",
            description = "Each ticket is released by itself; the result has an entry for each.")
    @APIResponse(responseCode = "200", description = "What happened to each ticket")
    public BulkResults release(
            @PathParam("orgId") String orgId, BulkSelection tickets, @Context RoutingContext request) {
        OrganizationId organization = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        TicketActor actor = access.actor(DashboardUser.of(request), organization);
        return each(tickets.ticketIds, id -> store.release(organization, id, actor));
    }

    @POST
    @Path("/reject")
    @Operation(
            summary = "Reject several tickets",
            description = "All for the same reason. Each ticket is rejected by itself; the result has an entry for"
                    + " each.")
    @APIResponse(responseCode = "200", description = "What happened to each ticket")
    public BulkResults reject(
            @PathParam("orgId") String orgId, BulkRejection tickets, @Context RoutingContext request) {
        OrganizationId organization = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        TicketActor actor = access.actor(DashboardUser.of(request), organization);
        String reason = TicketResource.requireText(tickets.reason, "/reason", TicketResource.MAX_REASON_LENGTH);
        return each(tickets.ticketIds, id -> answers.reject(organization, id, actor, reason));
    }

    private static BulkResults each(@Nullable List<@Nullable String> ticketIds, Consumer<TicketId> change) {
        return new BulkResults(BulkAction.each(ticketIds, "/ticket_ids", TicketId::parse, change, BulkResult::new));
    }
}
