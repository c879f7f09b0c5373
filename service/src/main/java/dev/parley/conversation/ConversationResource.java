package dev.parley.conversation;

import static dev.parley.http.access.Access.Caller.KEY;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.conversation.ConversationService.ConversationRequest;
import dev.parley.db.Database;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.access.Access;
import dev.parley.http.access.Viewer;
import dev.parley.http.constraint.Name;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
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
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Conversations, for API keys and for dashboard users. Each nested class mounts the routes of one API. */
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public abstract class ConversationResource {
    private static final String ROUTE = "POST /conversations";
    private static final String DEVELOPER_PATH = "/developer/api/conversations";

    final ConversationStore store;
    private final ConversationService conversations;
    private final IdempotencyKeys idempotency;

    ConversationResource(Database database, ConversationService conversations, IdempotencyKeys idempotency) {
        this.store = database.statements(ConversationStore.class);
        this.conversations = conversations;
        this.idempotency = idempotency;
    }

    @GET
    @Operation(summary = "List conversations, newest first")
    public Page<Conversation> list(
            @Context RoutingContext http,
            @BeanParam PageRequest page,
            @QueryParam("usecase") @Nullable ConversationUsecase usecase,
            @QueryParam("workflow_id") @Nullable WorkflowId workflow,
            @QueryParam("team_id") @Nullable Integer team) {
        Viewer viewer = Viewer.of(http);
        Optional<ConversationId> after = page.after(ConversationId::parse);
        if (workflow != null) {
            viewer.requireWorkflow(workflow);
        }
        if (team != null && !viewer.sees(team)) {
            return new Page<>(List.of(), null);
        }
        var filter = new ConversationFilter(
                usecase,
                workflow == null ? viewer.workflowId() : workflow,
                team == null ? viewer.teamId() : team,
                null,
                after.map(ConversationId::value).orElse(null));
        return page.page(
                store.list(viewer.organization(), filter, filter.conditions("id"), page.rows()),
                conversation -> conversation.id().text());
    }

    Response create(RoutingContext http, ConversationRequest request, @Nullable String location) {
        Viewer viewer = Viewer.of(http);
        var claim = IdempotencyKeys.claim(viewer, http, ROUTE, request);
        Optional<StoredResponse> stored = claim.flatMap(idempotency::stored);
        if (stored.isPresent()) {
            return stored.get().replay();
        }
        Conversation created = conversations.prepare(viewer, request);
        return idempotency.once(viewer, claim, _ -> {
            store.insert(created);
            return new StoredResponse(
                    201, location == null ? null : location + "/" + created.id(), StrictJson.write(created));
        });
    }

    Conversation read(RoutingContext http, ConversationId id) {
        Viewer viewer = Viewer.of(http);
        Conversation found = store.find(viewer.organization(), id)
                .filter(one -> viewer.sees(one.teamId()))
                .orElseThrow(() -> ApiProblem.notFound("conversation"));
        viewer.requireWorkflow(found.workflowId());
        return found;
    }

    /** Routes of the developer API. */
    @Path(DEVELOPER_PATH)
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Tag(name = "Conversations")
    @Access(KEY)
    public static final class DeveloperConversationResource extends ConversationResource {
        public DeveloperConversationResource(
                Database database, ConversationService conversations, IdempotencyKeys idempotency) {
            super(database, conversations, idempotency);
        }

        @POST
        @Consumes(MediaType.APPLICATION_JSON)
        @Operation(summary = "Create a conversation")
        @APIResponse(
                responseCode = "201",
                description = "Created",
                headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
                content = @Content(schema = @Schema(implementation = Conversation.class)))
        public Response create(@Context RoutingContext http, ConversationRequest body) {
            return create(http, body, DEVELOPER_PATH);
        }

        @GET
        @Path("/{conversation_id}")
        @Operation(summary = "Read a conversation")
        public Conversation get(@Context RoutingContext http, @PathParam("conversation_id") ConversationId id) {
            return read(http, id);
        }
    }

    /** Routes of the dashboard's API. */
    @Path("/dashboard/api/organizations/{orgId}/conversations")
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Tag(name = "Conversations")
    @Access(MEMBER)
    public static final class DashboardConversationResource extends ConversationResource {
        public DashboardConversationResource(
                Database database, ConversationService conversations, IdempotencyKeys idempotency) {
            super(database, conversations, idempotency);
        }

        @POST
        @Consumes(MediaType.APPLICATION_JSON)
        @Operation(summary = "Create a conversation")
        @APIResponseSchema(value = Conversation.class, responseCode = "201", responseDescription = "Created")
        public Response create(@Context RoutingContext http, ConversationRequest body) {
            return create(http, body, null);
        }

        @GET
        @Path("/{conversationId}")
        @Operation(summary = "Read a conversation")
        public Conversation get(@Context RoutingContext http, @PathParam("conversationId") ConversationId id) {
            return read(http, id);
        }

        /** The body of PATCH. */
        @Schema(name = "ConversationChange", requiredProperties = "title")
        public record ConversationChange(
                @Name(max = 200)
                @Schema(description = "1 to 200 characters; null removes the title.", nullable = true)
                @Nullable
                String title) {}

        @PATCH
        @Path("/{conversationId}")
        @Consumes(MediaType.APPLICATION_JSON)
        @Operation(summary = "Rename a conversation")
        @APIResponseSchema(value = Conversation.class, responseDescription = "Renamed")
        public Conversation rename(
                @BeanParam MemberRequest member,
                @PathParam("conversationId") ConversationId id,
                ConversationChange change) {
            String title = change.title() == null ? null : change.title().strip();
            return store.rename(member.organization(), id, title)
                    .orElseThrow(() -> ApiProblem.notFound("conversation"));
        }
    }
}
