package dev.parley.organization.team;

import static dev.parley.http.access.Access.Caller.ADMIN;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.Name;
import dev.parley.id.UserId;
import dev.parley.organization.Member;
import dev.parley.organization.MemberRequest;
import dev.parley.organization.Team;
import dev.parley.organization.TeamStore;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BeanParam;
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
import jakarta.ws.rs.core.MediaType;
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
@Access(ADMIN)
@Tag(name = "Teams")
public final class TeamResource {
    private final TeamStore store;
    private final Teams teams;

    TeamResource(Database database, Teams teams) {
        this.store = database.statements(TeamStore.class);
        this.teams = teams;
    }

    /** A request to create a team. */
    @Schema(name = "NewTeam")
    public record NewTeam(
            @NotNull @Name @Schema(examples = "Accounting") String name) {}

    /** A request to rename a team. */
    @Schema(name = "TeamChange")
    public record TeamChange(
            @NotNull @Name @Schema(examples = "Accounting") String name) {}

    @GET
    @Access(MEMBER)
    @Operation(summary = "List teams", description = "By id.")
    public Page<Team> list(@BeanParam MemberRequest member, @BeanParam PageRequest page) {
        int after = page.afterNumber().orElse(0);
        return page.page(store.list(member.organization(), after, page.rows()), team -> Integer.toString(team.id()));
    }

    @POST
    @ResponseStatus(201)
    @Operation(summary = "Create a team")
    @APIResponseSchema(value = Team.class, responseCode = "201", responseDescription = "Created")
    @APIResponse(responseCode = "409", description = "Another team has this name")
    public Team create(@BeanParam MemberRequest member, NewTeam requested) {
        return teams.create(member.organization(), requested.name());
    }

    @GET
    @Path("/{teamId}")
    @Access(MEMBER)
    @Operation(summary = "Read a team")
    public Team get(@BeanParam MemberRequest member, @PathParam("teamId") int id) {
        Team found = store.find(member.organization(), id).orElseThrow(Teams::noTeam);
        IfMatch.addTag(member.http(), found.revision());
        return found;
    }

    @PATCH
    @Path("/{teamId}")
    @Operation(summary = "Rename a team")
    @APIResponseSchema(value = Team.class, responseCode = "200", responseDescription = "Renamed")
    @APIResponse(responseCode = "409", description = "Another team has this name")
    public Team rename(
            @BeanParam MemberRequest member,
            @PathParam("teamId") int id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            TeamChange change) {
        Team renamed = teams.rename(member.organization(), id, change.name(), member.createdBy(), IfMatch.of(ifMatch));
        IfMatch.addTag(member.http(), renamed.revision());
        return renamed;
    }

    @DELETE
    @Path("/{teamId}")
    @Operation(summary = "Delete a team", description = "API keys of the team stop working.")
    @APIResponse(responseCode = "204", description = "Deleted")
    public void delete(@BeanParam MemberRequest member, @PathParam("teamId") int id) {
        teams.delete(member.organization(), id);
    }

    @GET
    @Path("/{teamId}/members")
    @Access(MEMBER)
    @Operation(summary = "List a team's members")
    public Page<Member> members(
            @BeanParam MemberRequest member, @PathParam("teamId") int id, @BeanParam PageRequest page) {
        if (store.find(member.organization(), id).isEmpty()) {
            throw Teams.noTeam();
        }
        return page.page(
                store.members(member.organization(), id, page.after(UserId::parse), page.rows()),
                one -> one.id().text());
    }

    @PUT
    @Path("/{teamId}/members/{userId}")
    @Consumes(MediaType.WILDCARD)
    @Operation(operationId = "addTeamMember", summary = "Add a member to a team", description = "Idempotent.")
    @APIResponse(responseCode = "204", description = "The user is a member of the team")
    public void addMember(
            @BeanParam MemberRequest member, @PathParam("teamId") int id, @PathParam("userId") UserId user) {
        teams.addMember(member.organization(), id, user);
    }

    @DELETE
    @Path("/{teamId}/members/{userId}")
    @Operation(operationId = "removeTeamMember", summary = "Remove a member from a team")
    @APIResponse(responseCode = "204", description = "The user is no longer a member of the team")
    public void removeMember(
            @BeanParam MemberRequest member, @PathParam("teamId") int id, @PathParam("userId") UserId user) {
        teams.removeMember(member.organization(), id, user);
    }
}
