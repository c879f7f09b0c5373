package dev.parley.conversation;

import dev.parley.http.ApiKeyCaller;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.http.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.WorkflowId;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
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

/** Conversations of the developer API. */
@Path("/developer/api")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Conversations")
public final class ConversationResource {
    private static final String ROUTE = "POST /conversations";

    private final ConversationStore store;
    private final ConversationService conversations;
    private final IdempotencyKeys idempotency;

    public ConversationResource(
            ConversationStore store, ConversationService conversations, IdempotencyKeys idempotency) {
        this.store = store;
        this.conversations = conversations;
        this.idempotency = idempotency;
    }

    /** The body of POST /conversations. */
    @Schema(name = "ConversationRequest")
    public record ConversationRequest(
            @Schema(description = "Only API is supported.", defaultValue = "API", enumeration = "API") @Nullable
            String channel,

            @Schema(
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

            @Nullable Integer teamId) {}

    /** The requested conversation; without a body a DEFAULT conversation. */
    static ConversationService.ConversationSpec wanted(@Nullable ConversationRequest body) {
        return body == null
                ? new ConversationService.ConversationSpec(null, null, null, null, null)
                : new ConversationService.ConversationSpec(
                        body.channel, body.usecase, body.config, body.metadata, body.teamId);
    }

    @POST
    @Path("/conversations")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(summary = "Create a conversation")
    @APIResponse(
            responseCode = "201",
            description = "Created",
            headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(implementation = Conversation.class)))
    public Response create(
            @Context RoutingContext http,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey,
            @Nullable ConversationRequest body) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        ConversationRequest request = body == null ? new ConversationRequest(null, null, null, null, null) : body;
        var claim = IdempotencyKeys.claim(caller, ROUTE, idempotencyKey, request);
        Optional<StoredResponse> stored = claim.flatMap(idempotency::stored);
        if (stored.isPresent()) {
            return stored.get().replay();
        }
        var prepared = conversations.prepare(
                caller.organization(), caller.createdBy(), caller.teamId(), caller::requireWorkflow, wanted(request));
        return idempotency.once(claim, handle -> {
            Conversation made = conversations.store(handle, prepared);
            String location = "/developer/api/conversations/" + made.id();
            return new StoredResponse(201, location, StrictJson.write(made));
        });
    }

    @GET
    @Path("/conversations/{conversation_id}")
    @Operation(summary = "Read a conversation")
    @APIResponse(
            responseCode = "200",
            description = "The conversation",
            content = @Content(schema = @Schema(implementation = Conversation.class)))
    public Conversation get(@Context RoutingContext http, @PathParam("conversation_id") String id) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        ConversationId conversation = RequestValidator.pathId(id, "conversation", ConversationId::parse);
        Conversation found = store.find(caller.organization(), conversation)
                .filter(one -> caller.sees(one.teamId()))
                .orElseThrow(() -> ApiProblem.notFound("conversation"));
        caller.requireWorkflow(found.workflowId());
        return found;
    }

    /** A page of conversations. */
    @Schema(name = "ConversationPage")
    public record ConversationPage(
            java.util.List<Conversation> items,

            @Schema(description = "Send as after for the next page; null on the last.") @Nullable
            String next) {}

    @GET
    @Path("/conversations")
    @Operation(summary = "List conversations, newest first")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            content = @Content(schema = @Schema(implementation = ConversationPage.class)))
    public Page<Conversation> list(
            @Context RoutingContext http,
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
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        ConversationQuery query = ConversationQuery.read(limit, after, usecase, workflowId, teamId);
        ConversationStore.ConversationFilter wanted = query.filter();
        if (wanted.workflowId() != null) {
            caller.requireWorkflow(wanted.workflowId());
        }
        Integer onlyTeam = caller.teamId();
        if (onlyTeam != null && wanted.teamId() != null && !wanted.teamId().equals(onlyTeam)) {
            return new Page<>(java.util.List.of(), null);
        }
        WorkflowId onlyWorkflow = caller.workflowId();
        var filter = new ConversationStore.ConversationFilter(
                wanted.usecase(),
                onlyWorkflow != null ? onlyWorkflow : wanted.workflowId(),
                onlyTeam != null ? onlyTeam : wanted.teamId());
        return query.page(store, caller.organization(), filter);
    }
}
