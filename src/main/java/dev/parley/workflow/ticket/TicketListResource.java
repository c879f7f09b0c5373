package dev.parley.workflow.ticket;

import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.WorkflowId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.ticket.TicketFilter.Scope;
import dev.parley.workflow.ticket.core.TicketStatus;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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
    private static final int MAX_BULK_TICKETS = 100;
    private static final int MAX_SEARCH_LENGTH = 200;
    private static final Set<TicketStatus> OPEN = EnumSet.of(TicketStatus.OPEN, TicketStatus.IN_PROGRESS);
    private static final String STATUS = "One or more statuses, separated by commas";
    private static final String ASSIGNEE = "`me`: assigned to or claimed by the user; `team`: assigned to the user's"
            + " teams; `mine`: both; `all`: all visible tickets";
    private static final String AGENT = "Only tickets of this workflow";
    private static final String SEARCH = "Words of the number, the title, the task, the agent, the exception or the"
            + " inputs, case-insensitive; each must occur. Of long inputs only the start is searched.";
    private static final String OVERDUE = "`true`: only open tickets after their due date";

    private final TicketStore store;
    private final TicketInbox inbox;
    private final TicketAccess access;

    TicketListResource(TicketStore store, TicketInbox inbox, TicketAccess access) {
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

    /** The tickets to claim. */
    @Schema(name = "TicketBulkClaim")
    public record BulkClaim(
            @Schema(required = true, minItems = 1, maxItems = MAX_BULK_TICKETS) @Nullable
            List<@Nullable String> ticketIds) {}

    /** The tickets to assign to one user or team. */
    @Schema(name = "TicketBulkReassignment")
    public record BulkReassignment(
            @Schema(required = true, minItems = 1, maxItems = MAX_BULK_TICKETS) @Nullable
            List<@Nullable String> ticketIds,

            @Schema(
                    required = true,
                    enumeration = {"User", "Team"},
                    examples = "Team")
            @Nullable
            String assignmentType,

            @Schema(required = true, description = "A user's id, or a team's integer id as text", examples = "3")
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
                    + " the filters `agent` and `overdue` consider the newest 10,000 tickets with the statuses.")
    public Page<TicketSummary> list(
            @PathParam("orgId") String orgId,
            @Parameter(description = STATUS, example = "OPEN,IN_PROGRESS") @QueryParam("status") @Nullable
                    String status,
            @Parameter(
                            description = ASSIGNEE,
                            schema =
                                    @Schema(
                                            enumeration = {"me", "team", "mine", "all"},
                                            defaultValue = "all"))
                    @QueryParam("assignee")
                    @Nullable
                    String assignee,
            @Parameter(description = AGENT) @QueryParam("workflow_id") @Nullable String workflowId,
            @Parameter(description = SEARCH) @QueryParam("search") @Nullable String search,
            @Parameter(description = OVERDUE) @QueryParam("overdue") @Nullable String overdue,
            @Parameter(
                            description = "`created`: newest first; `oldest`: oldest first; `due`: due next first;"
                                    + " `priority`: high first; `updated`: latest change first",
                            schema =
                                    @Schema(
                                            enumeration = {"created", "oldest", "due", "priority", "updated"},
                                            defaultValue = "created"))
                    @QueryParam("sort")
                    @Nullable
                    String sort,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId organization = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        TicketActor actor = access.actor(DashboardUser.of(request), organization);
        var checks = new RequestValidator();
        var filter = new TicketFilter(
                scope(assignee, Scope.ALL, checks),
                statuses(status, checks),
                checks.parameterId(workflowId, "workflow_id", WorkflowId::parse),
                checks.parameterFlag(overdue, "overdue"),
                words(search, checks));
        Optional<TicketSort> order = sort == null ? Optional.of(TicketSort.CREATED) : TicketSort.parse(sort);
        checks.requireParameter(order.isPresent(), "sort", "'sort' must be created, oldest, due, priority or updated.");
        checks.done();
        TicketSort by = order.orElseThrow();
        int most = Page.limit(limit);
        Optional<TicketCursor> cursor = Page.after(after, text -> TicketCursor.parse(by, text));
        return Page.of(inbox.list(organization, actor, filter, by, cursor, most + 1), most, found -> TicketCursor.of(
                        by, found.ticket())
                .text());
    }

    @GET
    @Path("/count")
    @Operation(
            summary = "Count tickets",
            description =
                    "By default counts the open tickets that are assigned to the user or the user's teams, or claimed"
                            + " by the user. The count stops at 10,000.")
    public TicketCount count(
            @PathParam("orgId") String orgId,
            @Parameter(description = STATUS + "; default `OPEN,IN_PROGRESS`") @QueryParam("status") @Nullable
                    String status,
            @Parameter(
                            description = ASSIGNEE,
                            schema =
                                    @Schema(
                                            enumeration = {"me", "team", "mine", "all"},
                                            defaultValue = "mine"))
                    @QueryParam("assignee")
                    @Nullable
                    String assignee,
            @Parameter(description = AGENT) @QueryParam("workflow_id") @Nullable String workflowId,
            @Parameter(description = SEARCH) @QueryParam("search") @Nullable String search,
            @Parameter(description = OVERDUE) @QueryParam("overdue") @Nullable String overdue,
            @Context RoutingContext request) {
        OrganizationId organization = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        TicketActor actor = access.actor(DashboardUser.of(request), organization);
        var checks = new RequestValidator();
        var filter = new TicketFilter(
                scope(assignee, Scope.MINE, checks),
                status == null ? OPEN : statuses(status, checks),
                checks.parameterId(workflowId, "workflow_id", WorkflowId::parse),
                checks.parameterFlag(overdue, "overdue"),
                words(search, checks));
        checks.done();
        int counted = inbox.count(organization, actor, filter);
        return new TicketCount(counted, counted == TicketInbox.MAX_EXAMINED);
    }

    @POST
    @Path("/claim")
    @Operation(
            summary = "Claim several tickets",
            description = "Each ticket is claimed by itself; the result has an entry for each.")
    @APIResponse(responseCode = "200", description = "What happened to each ticket")
    public BulkResults claim(@PathParam("orgId") String orgId, BulkClaim tickets, @Context RoutingContext request) {
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

    private static BulkResults each(@Nullable List<@Nullable String> ticketIds, Consumer<TicketId> change) {
        List<BulkResult> results = new ArrayList<>();
        for (TicketId id : ticketIds(ticketIds)) {
            try {
                change.accept(id);
                results.add(new BulkResult(id, true, null, null));
            } catch (ApiProblem problem) {
                results.add(new BulkResult(id, false, problem.kind().title(), problem.detail()));
            }
        }
        return new BulkResults(results);
    }

    /** Different ids, so that each has one result. */
    private static Set<TicketId> ticketIds(@Nullable List<@Nullable String> texts) {
        if (texts == null) {
            throw ApiProblem.invalid(Violation.missing("/ticket_ids"));
        }
        var checks = new RequestValidator();
        checks.require(
                !texts.isEmpty() && texts.size() <= MAX_BULK_TICKETS,
                "/ticket_ids",
                "'/ticket_ids' must have 1 to " + MAX_BULK_TICKETS + " ids.");
        checks.done();
        Set<TicketId> ids = new LinkedHashSet<>();
        for (int i = 0; i < texts.size(); i++) {
            String path = "/ticket_ids/" + i;
            Optional<TicketId> id = Optional.ofNullable(texts.get(i)).flatMap(TicketId::parse);
            checks.require(id.isPresent(), path, "'" + path + "' must be an id of 32 hex digits.");
            id.ifPresent(ids::add);
        }
        checks.done();
        return ids;
    }

    private static Scope scope(@Nullable String assignee, Scope byDefault, RequestValidator checks) {
        if (assignee == null) {
            return byDefault;
        }
        for (Scope scope : Scope.values()) {
            if (scope.name().toLowerCase(Locale.ROOT).equals(assignee)) {
                return scope;
            }
        }
        checks.add(Violation.parameter("assignee", "'assignee' must be me, team, mine or all."));
        return byDefault;
    }

    private static List<String> words(@Nullable String search, RequestValidator checks) {
        if (search == null) {
            return List.of();
        }
        boolean fits = search.length() <= MAX_SEARCH_LENGTH;
        checks.requireParameter(fits, "search", "'search' must have at most " + MAX_SEARCH_LENGTH + " characters.");
        return fits ? TicketText.words(search) : List.of();
    }

    private static Set<TicketStatus> statuses(@Nullable String text, RequestValidator checks) {
        Set<TicketStatus> statuses = EnumSet.noneOf(TicketStatus.class);
        if (text == null) {
            return statuses;
        }
        for (String name : text.split(",", -1)) {
            Optional<TicketStatus> status = Arrays.stream(TicketStatus.values())
                    .filter(one -> one.name().equals(name))
                    .findFirst();
            if (status.isEmpty()) {
                checks.add(Violation.parameter(
                        "status", "'status' must be one or more of " + Arrays.toString(TicketStatus.values()) + "."));
                return statuses;
            }
            statuses.add(status.get());
        }
        return statuses;
    }
}
