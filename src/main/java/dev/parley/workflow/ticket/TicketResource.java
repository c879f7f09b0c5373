package dev.parley.workflow.ticket;

import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
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
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
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
    private static final int MAX_REASON_LENGTH = 2_000;
    private static final int MAX_COUNTED = 100;
    private static final Set<TicketStatus> OPEN = EnumSet.of(TicketStatus.OPEN, TicketStatus.IN_PROGRESS);
    private static final String CHANGED = "The changed ticket";
    private static final String NOT_OPEN =
            "The ticket is no longer open, or another person has claimed it; `status` has the " + "ticket's status";

    private final TicketStore store;
    private final TicketInbox inbox;
    private final TicketAnswers answers;
    private final OrganizationAccess access;

    TicketResource(TicketStore store, TicketInbox inbox, TicketAnswers answers, OrganizationAccess access) {
        this.store = store;
        this.inbox = inbox;
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

            @Schema(required = true, description = "A user's id, or a team's integer id as text", examples = "3")
            @Nullable
            String assigneeId) {}

    /** A comment. */
    @Schema(name = "TicketComment")
    public record Comment(
            @Schema(required = true, minLength = 1, maxLength = MAX_COMMENT_LENGTH) @Nullable
            String text) {}

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

    /**
     * The number of tickets.
     *
     * @param orMore whether there may be more, because counting stopped at the limit
     */
    @Schema(name = "TicketCount")
    public record TicketCount(@Schema(examples = "7") int count, boolean orMore) {}

    /** The caller and the ticket. */
    private record TicketRequestContext(OrganizationId organization, TicketId ticket, TicketActor actor) {}

    @GET
    @Operation(summary = "List tickets", description = "Newest first, without forms, inputs, answers and histories.")
    public Page<Ticket> list(
            @PathParam("orgId") String orgId,
            @Parameter(description = "One or more statuses, separated by commas", example = "OPEN,IN_PROGRESS")
                    @QueryParam("status")
                    @Nullable
                    String status,
            @Parameter(
                            description =
                                    "`me`: assigned to or claimed by the user; `team`: assigned to the user's teams; "
                                            + "`all`: all visible tickets",
                            schema =
                                    @Schema(
                                            enumeration = {"me", "team", "all"},
                                            defaultValue = "all"))
                    @QueryParam("assignee")
                    @Nullable
                    String assignee,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId organization = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        TicketActor actor = actor(DashboardUser.of(request), organization);
        var checks = new RequestValidator();
        var filter = new TicketInbox.TicketFilter(scope(assignee, checks), statuses(status, checks));
        checks.done();
        int most = Page.limit(limit);
        Optional<TicketId> cursor = Page.after(after, TicketId::parse);
        return Page.of(inbox.list(organization, actor, filter, cursor, most + 1), most, ticket -> ticket.id()
                .text());
    }

    @GET
    @Path("/count")
    @Operation(
            summary = "Count tickets",
            description =
                    "By default counts the open tickets of the user and the user's teams. The count stops " + "at 100.")
    public TicketCount count(
            @PathParam("orgId") String orgId,
            @Parameter(description = "One or more statuses, separated by commas; default `OPEN,IN_PROGRESS`")
                    @QueryParam("status")
                    @Nullable
                    String status,
            @Parameter(
                            description =
                                    "As for the list; by default the tickets assigned to the user or the user's teams",
                            schema = @Schema(enumeration = {"me", "team", "all"}))
                    @QueryParam("assignee")
                    @Nullable
                    String assignee,
            @Context RoutingContext request) {
        OrganizationId organization = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        TicketActor actor = actor(DashboardUser.of(request), organization);
        var checks = new RequestValidator();
        TicketInbox.Scope scope = scope(assignee, checks);
        Set<TicketStatus> statuses = status == null ? OPEN : statuses(status, checks);
        checks.done();
        TicketActor viewer = assignee == null ? new TicketActor(actor.user(), false, actor.teams()) : actor;
        int counted = inbox.count(organization, viewer, new TicketInbox.TicketFilter(scope, statuses), MAX_COUNTED);
        return new TicketCount(counted, counted == MAX_COUNTED);
    }

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
        return store.reassign(context.organization, context.ticket, context.actor, assignee(context.organization, to));
    }

    @POST
    @Path("/{ticketId}/comment")
    @Operation(summary = "Comment on a ticket")
    @APIResponse(responseCode = "200", description = CHANGED)
    @APIResponse(responseCode = "409", description = "The ticket is no longer open")
    public TicketDetails comment(
            @PathParam("orgId") String orgId,
            @PathParam("ticketId") String ticketId,
            Comment comment,
            @Context RoutingContext request) {
        TicketRequestContext context = context(orgId, ticketId, request);
        requireVisible(context);
        String text = text(comment.text, "/text", MAX_COMMENT_LENGTH);
        return store.comment(context.organization, context.ticket, context.actor, text);
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
        String reason = text(rejection.reason, "/reason", MAX_REASON_LENGTH);
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
        TicketActor actor = actor(DashboardUser.of(request), organization);
        return new TicketRequestContext(
                organization, RequestValidator.pathId(ticketId, "ticket", TicketId::parse), actor);
    }

    /** The ticket, or a 403 or 404; called before the body is validated. */
    private TicketDetails requireVisible(TicketRequestContext context) {
        return store.see(context.organization, context.ticket, context.actor);
    }

    private TicketActor actor(DashboardUser person, OrganizationId organization) {
        Role role = access.require(person, organization, Role.MEMBER);
        return new TicketActor(person.id(), role.isAtLeast(Role.ADMIN), access.teamsOf(organization, person.id()));
    }

    private TicketAssignee assignee(OrganizationId organization, Reassignment to) {
        var checks = new RequestValidator();
        String type = checks.text(to.assignmentType, "/assignment_type", 1, 10);
        String id = checks.text(to.assigneeId, "/assignee_id", 1, 36);
        checks.done();
        Optional<TicketAssignee> found =
                switch (type) {
                    case "User" ->
                        UserId.parse(id)
                                .filter(user -> access.isMember(organization, user))
                                .map(user -> new TicketAssignee(type, user.text()));
                    case "Team" ->
                        team(id).filter(team -> access.teamExists(organization, team))
                                .map(team -> new TicketAssignee(type, team.toString()));
                    default ->
                        throw ApiProblem.invalid(
                                Violation.invalid("/assignment_type", "'/assignment_type' must be User or Team."));
                };
        return found.orElseThrow(() -> ApiProblem.invalid(Violation.invalid(
                "/assignee_id", "There is no such " + type.toLowerCase(Locale.ROOT) + " in the organization.")));
    }

    private static Optional<Integer> team(String id) {
        return id.matches("[1-9][0-9]{0,8}") ? Optional.of(Integer.parseInt(id)) : Optional.empty();
    }

    private static String text(@Nullable String value, String path, int maxLength) {
        var checks = new RequestValidator();
        String text = checks.text(value, path, 1, maxLength);
        checks.done();
        return text;
    }

    private static TicketInbox.Scope scope(@Nullable String assignee, RequestValidator checks) {
        if (assignee == null) {
            return TicketInbox.Scope.ALL;
        }
        for (TicketInbox.Scope scope : TicketInbox.Scope.values()) {
            if (scope.name().toLowerCase(Locale.ROOT).equals(assignee)) {
                return scope;
            }
        }
        checks.add(Violation.parameter("assignee", "'assignee' must be me, team or all."));
        return TicketInbox.Scope.ALL;
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
