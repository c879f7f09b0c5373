package dev.parley.conversation;

import dev.parley.db.Database;
import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.http.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
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
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * Conversations in the dashboard's API: every member can read those of the organization and start test conversations.
 */
@Path("/dashboard/api/organizations/{orgId}/conversations")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Dashboard: conversations")
public final class ConversationDashboard {
    private final ConversationStore store;
    private final ConversationService conversations;
    private final Database database;
    private final OrganizationAccess access;

    public ConversationDashboard(
            ConversationStore store, ConversationService conversations, Database database, OrganizationAccess access) {
        this.store = store;
        this.conversations = conversations;
        this.database = database;
        this.access = access;
    }

    @GET
    @Operation(summary = "List conversations, newest first")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = ConversationResource.ConversationPage.class)))
    public Page<Conversation> list(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "100", defaultValue = "20"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(description = "The next of the page before.") @QueryParam("after") @Nullable String after,
            @Parameter(schema = @Schema(enumeration = {"DEFAULT", "WORKFLOW_EXECUTION"}))
                    @QueryParam("usecase")
                    @Nullable
                    String usecase,
            @QueryParam("workflow_id") @Nullable String workflowId,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER)) @QueryParam("team_id") @Nullable String teamId) {
        OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
        ConversationQuery query = ConversationQuery.read(limit, after, usecase, workflowId, teamId);
        return query.page(store, organization, query.filter());
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(summary = "Create a conversation")
    @APIResponse(
            responseCode = "201",
            description = "Created",
            content = @Content(schema = @Schema(implementation = Conversation.class)))
    public Response create(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            ConversationResource.@Nullable ConversationRequest body) {
        DashboardUser person = DashboardUser.of(http);
        OrganizationId organization = access.require(person, orgId, Role.MEMBER);
        var wanted = ConversationResource.wanted(body);
        var prepared = conversations.prepare(organization, person.createdBy(), null, _ -> {}, wanted);
        Conversation made = database.transaction(handle -> conversations.store(handle, prepared));
        return Response.status(201).entity(StrictJson.writeBytes(made)).build();
    }

    @GET
    @Path("/{id}")
    @Operation(summary = "Read a conversation")
    @APIResponse(
            responseCode = "200",
            description = "The conversation",
            content = @Content(schema = @Schema(implementation = Conversation.class)))
    public Conversation get(
            @Context RoutingContext http, @PathParam("orgId") String orgId, @PathParam("id") String id) {
        OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
        return store.find(organization, RequestValidator.pathId(id, "conversation", ConversationId::parse))
                .orElseThrow(() -> ApiProblem.notFound("conversation"));
    }
}
