package dev.parley.organization;

import dev.parley.http.DashboardUser;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.http.core.SingleLineText;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** Teams of an organization: members read them, owners and admins change them. */
@Path("/dashboard/api/organizations/{orgId}/teams")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Teams")
public final class TeamResource {
    private static final int MAX_NAME_LENGTH = 100;

    private final TeamStore store;
    private final OrganizationAccess access;

    TeamResource(TeamStore store, OrganizationAccess access) {
        this.store = store;
        this.access = access;
    }

    /** A request to create a team. */
    @Schema(name = "NewTeam")
    public record NewTeam(
            @Schema(
                    required = true,
                    minLength = 1,
                    maxLength = MAX_NAME_LENGTH,
                    pattern = SingleLineText.PATTERN,
                    examples = "Accounting")
            @Nullable
            String name) {}

    /** A request to rename a team. */
    @Schema(name = "TeamChange")
    public record TeamChange(
            @Schema(
                    required = true,
                    minLength = 1,
                    maxLength = MAX_NAME_LENGTH,
                    pattern = SingleLineText.PATTERN,
                    examples = "Accounting")
            @Nullable
            String name) {}

    @GET
    @Operation(summary = "List teams", description = "By id.")
    public Page<Team> list(
            @PathParam("orgId") String orgId,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        int max = Page.limit(limit);
        return Page.of(
                store.list(id, Page.after(after, TeamResource::cursor), max + 1),
                max,
                team -> Integer.toString(team.id()));
    }

    @POST
    @ResponseStatus(201)
    @Operation(summary = "Create a team", description = "Owners and admins.")
    @APIResponseSchema(value = Team.class, responseCode = "201", responseDescription = "Created")
    @APIResponse(responseCode = "409", description = "Another team has this name")
    public Team create(@PathParam("orgId") String orgId, NewTeam requested, @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        var validator = new RequestValidator();
        String name = validator.name(requested.name(), "/name", MAX_NAME_LENGTH);
        validator.done();
        return store.create(id, name);
    }

    @GET
    @Path("/{teamId}")
    @Operation(summary = "Read a team")
    public Team get(
            @PathParam("orgId") String orgId, @PathParam("teamId") String teamId, @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        Team found =
                store.find(id, RequestValidator.pathInt(teamId, "team")).orElseThrow(() -> ApiProblem.notFound("team"));
        IfMatch.addTag(request, found.revision());
        return found;
    }

    @PATCH
    @Path("/{teamId}")
    @Operation(summary = "Rename a team", description = "Owners and admins.")
    @APIResponseSchema(value = Team.class, responseCode = "200", responseDescription = "Renamed")
    @APIResponse(responseCode = "409", description = "Another team has this name")
    public Team rename(
            @PathParam("orgId") String orgId,
            @PathParam("teamId") String teamId,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            TeamChange change,
            @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        OrganizationId id = access.require(person, orgId, Role.ADMIN);
        int team = RequestValidator.pathInt(teamId, "team");
        var validator = new RequestValidator();
        String name = validator.name(change.name(), "/name", MAX_NAME_LENGTH);
        validator.done();
        Team renamed = store.rename(id, team, name, person.createdBy(), IfMatch.of(ifMatch));
        IfMatch.addTag(request, renamed.revision());
        return renamed;
    }

    @DELETE
    @Path("/{teamId}")
    @Operation(summary = "Delete a team", description = "Owners and admins. API keys of the team stop working.")
    @APIResponse(responseCode = "204", description = "Deleted")
    public void delete(
            @PathParam("orgId") String orgId, @PathParam("teamId") String teamId, @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        store.delete(id, RequestValidator.pathInt(teamId, "team"));
    }

    @GET
    @Path("/{teamId}/members")
    @Operation(summary = "List a team's members")
    public Page<Member> members(
            @PathParam("orgId") String orgId,
            @PathParam("teamId") String teamId,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        int max = Page.limit(limit);
        return Page.of(
                store.members(id, RequestValidator.pathInt(teamId, "team"), Page.after(after, UserId::parse), max + 1),
                max,
                member -> member.id().text());
    }

    @PUT
    @Path("/{teamId}/members/{userId}")
    @Consumes(MediaType.WILDCARD)
    @Operation(summary = "Add a member to a team", description = "Owners and admins. Idempotent.")
    @APIResponse(responseCode = "204", description = "The user is a member of the team")
    public void addMember(
            @PathParam("orgId") String orgId,
            @PathParam("teamId") String teamId,
            @PathParam("userId") String userId,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        store.addMember(
                id, RequestValidator.pathInt(teamId, "team"), RequestValidator.pathId(userId, "member", UserId::parse));
    }

    @DELETE
    @Path("/{teamId}/members/{userId}")
    @Operation(summary = "Remove a member from a team", description = "Owners and admins.")
    @APIResponse(responseCode = "204", description = "The user is no longer a member of the team")
    public void removeMember(
            @PathParam("orgId") String orgId,
            @PathParam("teamId") String teamId,
            @PathParam("userId") String userId,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        store.removeMember(
                id, RequestValidator.pathInt(teamId, "team"), RequestValidator.pathId(userId, "member", UserId::parse));
    }

    private static Optional<Integer> cursor(String text) {
        try {
            return Optional.of(Integer.parseInt(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
