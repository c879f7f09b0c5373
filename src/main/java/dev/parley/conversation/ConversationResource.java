package dev.parley.conversation;

import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.http.Page;
import dev.parley.http.StrictJson;
import dev.parley.http.Viewer;
import dev.parley.http.core.SingleLineText;
import dev.parley.organization.OrganizationAccess;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Conversations, for API keys and for dashboard users. Each nested class mounts the routes of one API. */
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public abstract class ConversationResource {
    private static final String ROUTE = "POST /conversations";
    private static final String DEVELOPER_PATH = "/developer/api/conversations";

    private final ConversationStore store;
    private final ConversationService conversations;
    private final IdempotencyKeys idempotency;
    private final OrganizationAccess access;

    ConversationResource(
            ConversationStore store,
            ConversationService conversations,
            IdempotencyKeys idempotency,
            OrganizationAccess access) {
        this.store = store;
        this.conversations = conversations;
        this.idempotency = idempotency;
        this.access = access;
    }

    /** The body of POST /conversations. */
    @Schema(name = "ConversationRequest")
    public record ConversationRequest(
            @Schema(description = "Only API is supported.", defaultValue = "API", enumeration = "API") @Nullable
            String channel,

            @Schema(
                    description = "DEFAULT to chat with the model, WORKFLOW_EXECUTION to run a workflow.",
                    defaultValue = "DEFAULT",
                    enumeration = {"DEFAULT", "WORKFLOW_EXECUTION"})
            @Nullable
            String usecase,

            @Schema(
                    type = SchemaType.OBJECT,
                    description = "workflow_id is required when usecase is WORKFLOW_EXECUTION; callback_url receives a"
                            + " webhook on every message; other keys are kept.",
                    examples = "{\"callback_url\": \"https://example.com/hook\"}")
            @Nullable
            Map<String, @Nullable Object> config,

            @Schema(type = SchemaType.OBJECT, description = "Custom data.") @Nullable
            Map<String, @Nullable Object> metadata,

            @Schema(description = "The team that it belongs to; keys of other teams don't find it.") @Nullable
            Integer teamId) {}

    private static ConversationService.ConversationSpec requested(ConversationRequest body) {
        return new ConversationService.ConversationSpec(
                body.channel, body.usecase, body.config, body.metadata, body.teamId);
    }

    /** A page of conversations. */
    @Schema(name = "ConversationPage")
    public record ConversationPage(
            List<Conversation> items,

            @Schema(description = "Send as after for the next page; null on the last.") @Nullable
            String next) {}

    @GET
    @Operation(summary = "List conversations, newest first")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = ConversationPage.class)))
    public Page<Conversation> list(
            @Context RoutingContext http,
            @Context UriInfo uri,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Parameter(schema = @Schema(enumeration = {"DEFAULT", "WORKFLOW_EXECUTION"}))
                    @QueryParam("usecase")
                    @Nullable
                    String usecase,
            @QueryParam("workflow_id") @Nullable String workflowId,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER)) @QueryParam("team_id") @Nullable String teamId) {
        Viewer viewer = access.viewer(http, uri);
        return ConversationQuery.read(limit, after, usecase, workflowId, teamId).page(store, viewer);
    }

    Response create(RoutingContext http, UriInfo uri, @Nullable ConversationRequest body, @Nullable String location) {
        Viewer viewer = access.viewer(http, uri);
        ConversationRequest request = body == null ? new ConversationRequest(null, null, null, null, null) : body;
        var claim = IdempotencyKeys.claim(viewer, http, ROUTE, request);
        Optional<StoredResponse> stored = claim.flatMap(idempotency::stored);
        if (stored.isPresent()) {
            return stored.get().replay();
        }
        var prepared = conversations.prepare(viewer, requested(request));
        return idempotency.once(viewer, claim, handle -> {
            Conversation created = conversations.store(handle, prepared);
            return new StoredResponse(
                    201, location == null ? null : location + "/" + created.id(), StrictJson.write(created));
        });
    }

    Conversation read(RoutingContext http, UriInfo uri, String id) {
        return conversations.read(access.viewer(http, uri), id);
    }

    Conversation rename(RoutingContext http, UriInfo uri, String id, @Nullable String title) {
        return conversations.rename(access.viewer(http, uri), id, title);
    }

    /** Routes of the developer API. */
    @Path(DEVELOPER_PATH)
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Tag(name = "Conversations")
    public static final class DeveloperConversationResource extends ConversationResource {
        public DeveloperConversationResource(
                ConversationStore store,
                ConversationService conversations,
                IdempotencyKeys idempotency,
                OrganizationAccess access) {
            super(store, conversations, idempotency, access);
        }

        @POST
        @Consumes(MediaType.APPLICATION_JSON)
        @Operation(summary = "Create a conversation")
        @APIResponse(
                responseCode = "201",
                description = "Created",
                headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
                content = @Content(schema = @Schema(implementation = Conversation.class)))
        public Response create(@Context RoutingContext http, @Context UriInfo uri, @Nullable ConversationRequest body) {
            return create(http, uri, body, DEVELOPER_PATH);
        }

        @GET
        @Path("/{conversation_id}")
        @Operation(summary = "Read a conversation")
        public Conversation get(
                @Context RoutingContext http, @Context UriInfo uri, @PathParam("conversation_id") String id) {
            return read(http, uri, id);
        }
    }

    /** Routes of the dashboard's API. */
    @Path("/dashboard/api/organizations/{orgId}/conversations")
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Tag(name = "Dashboard: conversations")
    public static final class DashboardConversationResource extends ConversationResource {
        public DashboardConversationResource(
                ConversationStore store,
                ConversationService conversations,
                IdempotencyKeys idempotency,
                OrganizationAccess access) {
            super(store, conversations, idempotency, access);
        }

        @POST
        @Consumes(MediaType.APPLICATION_JSON)
        @Operation(summary = "Create a conversation")
        @APIResponse(
                responseCode = "201",
                description = "Created",
                content = @Content(schema = @Schema(implementation = Conversation.class)))
        public Response create(@Context RoutingContext http, @Context UriInfo uri, @Nullable ConversationRequest body) {
            return create(http, uri, body, null);
        }

        @GET
        @Path("/{id}")
        @Operation(summary = "Read a conversation")
        public Conversation get(@Context RoutingContext http, @Context UriInfo uri, @PathParam("id") String id) {
            return read(http, uri, id);
        }

        /** The body of PATCH. */
        @Schema(name = "ConversationChange", requiredProperties = "title")
        public record ConversationChange(
                @Schema(
                        description = "1 to 200 characters; null removes the title.",
                        nullable = true,
                        minLength = 1,
                        maxLength = ConversationService.MAX_TITLE,
                        pattern = SingleLineText.PATTERN)
                @Nullable
                String title) {}

        @PATCH
        @Path("/{id}")
        @Consumes(MediaType.APPLICATION_JSON)
        @Operation(summary = "Rename a conversation")
        @APIResponse(
                responseCode = "200",
                description = "Renamed",
                content = @Content(schema = @Schema(implementation = Conversation.class)))
        public Conversation rename(
                @Context RoutingContext http,
                @Context UriInfo uri,
                @PathParam("id") String id,
                @Nullable ConversationChange body) {
            return rename(http, uri, id, body == null ? null : body.title);
        }
    }
}
