package dev.parley.console;

import dev.parley.console.ConversationSummaryStore.SummaryFilter;
import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationService;
import dev.parley.conversation.ConversationStore.ConversationFilter;
import dev.parley.conversation.ConversationUsecase;
import dev.parley.http.DashboardUser;
import dev.parley.http.OrganizationMember;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.ConversationId;
import dev.parley.id.Id;
import dev.parley.id.IdRange;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.Violation;
import dev.parley.workflow.instance.core.InstanceStatus;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The dashboard's list of conversations, and how far the signed-in user has read each. */
@Path("/dashboard/api/organizations/{orgId}")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Dashboard: conversations")
public final class ConversationSummaryResource {
    private static final int MAX_SEARCH = 100;

    private final ConversationSummaryStore store;
    private final ConversationService conversations;
    private final OrganizationAccess access;

    ConversationSummaryResource(
            ConversationSummaryStore store, ConversationService conversations, OrganizationAccess access) {
        this.store = store;
        this.conversations = conversations;
        this.access = access;
    }

    /** The body of PUT read-position. */
    @Schema(name = "ReadPosition", requiredProperties = "message_id")
    public record ReadPosition(
            @Schema(description = "The newest message that the user has seen.", pattern = "^[0-9a-f]{32}$") @Nullable
            String messageId) {}

    @GET
    @Path("/conversation-summaries")
    @Operation(
            summary = "List conversations with their first and last message",
            description =
                    "Those with the latest message first. With q, run_status, unread or mine a request examines 100 "
                            + "conversations and the newest 200 messages of each, so that a page may have few items or "
                            + "none although next is not null. With q, `match` is the newest message that contains it, with the text around it.")
    @APIResponse(responseCode = "200", description = "A page")
    public Page<ConversationSummary> list(
            @PathParam("orgId") String orgId,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Parameter(schema = @Schema(implementation = ConversationUsecase.class)) @QueryParam("usecase") @Nullable
                    String usecase,
            @QueryParam("workflow_id") @Nullable String workflowId,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER)) @QueryParam("team_id") @Nullable String teamId,
            @Parameter(schema = @Schema(implementation = InstanceStatus.class)) @QueryParam("run_status") @Nullable
                    String runStatus,
            @Parameter(description = "true for unread conversations only", schema = @Schema(type = SchemaType.BOOLEAN))
                    @QueryParam("unread")
                    @Nullable
                    String unread,
            @Parameter(
                            description = "true for conversations that the signed-in user started",
                            schema = @Schema(type = SchemaType.BOOLEAN))
                    @QueryParam("mine")
                    @Nullable
                    String mine,
            @Parameter(description = "The id of a conversation, or its first 8 or more digits")
                    @QueryParam("id")
                    @Nullable
                    String id,
            @Parameter(description = "1 to 100 characters that a title, text or file name contains, in any case")
                    @QueryParam("q")
                    @Nullable
                    String search,
            @Context RoutingContext request) {
        OrganizationMember viewer = viewer(request, orgId);
        int max = Page.limit(limit);
        var validator = new RequestValidator();
        Optional<UUID> cursor =
                validator.parameterId(after, "after", ConversationId::parse).map(Id::value);
        Optional<IdRange> ids = Optional.ofNullable(id).flatMap(IdRange::ofPrefix);
        validator.requireParameter(
                id == null || ids.isPresent(), "id", "'id' must be the first 8 to 32 hex digits of an id.");
        var filter = new SummaryFilter(
                new ConversationFilter(
                        option(ConversationUsecase.class, usecase, "usecase", validator)
                                .orElse(null),
                        validator
                                .parameterId(workflowId, "workflow_id", WorkflowId::parse)
                                .orElse(null),
                        team(teamId, validator).orElse(null),
                        ids.orElse(null)),
                option(InstanceStatus.class, runStatus, "run_status", validator).orElse(null),
                "true".equals(unread),
                "true".equals(mine),
                search(search, validator));
        requireBoolean(unread, "unread", validator);
        requireBoolean(mine, "mine", validator);
        validator.done();
        return store.page(viewer, filter, cursor.orElse(null), max);
    }

    @PUT
    @Path("/conversations/{id}/read-position")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Mark a conversation as read",
            description = "Up to a message, for the signed-in user. The position never moves back.")
    @APIResponse(responseCode = "204", description = "Stored")
    public void markRead(
            @PathParam("orgId") String orgId,
            @PathParam("id") String id,
            @Nullable ReadPosition body,
            @Context RoutingContext request) {
        OrganizationMember viewer = viewer(request, orgId);
        var validator = new RequestValidator();
        String messageId = body == null ? null : body.messageId;
        Optional<MessageId> message = validator.id(messageId, "/message_id", MessageId::parse);
        if (messageId == null) {
            validator.add(Violation.missing("/message_id"));
        }
        validator.done();
        ConversationRef conversation = conversations.find(viewer, id);
        store.markRead(viewer.organization(), viewer.user().id(), conversation.id(), message.orElseThrow());
    }

    private OrganizationMember viewer(RoutingContext request, String orgId) {
        DashboardUser user = DashboardUser.of(request);
        OrganizationId organization = access.require(user, orgId, Role.MEMBER);
        return new OrganizationMember(organization, user);
    }

    private static <E extends Enum<E>> Optional<E> option(
            Class<E> type, @Nullable String name, String parameter, RequestValidator validator) {
        if (name == null) {
            return Optional.empty();
        }
        E[] values = type.getEnumConstants();
        Optional<E> found =
                Arrays.stream(values).filter(one -> one.name().equals(name)).findFirst();
        validator.requireParameter(
                found.isPresent(), parameter, "'" + parameter + "' must be one of " + Arrays.toString(values) + ".");
        return found;
    }

    private static void requireBoolean(@Nullable String text, String parameter, RequestValidator validator) {
        validator.requireParameter(
                text == null || text.equals("true") || text.equals("false"),
                parameter,
                "'" + parameter + "' must be true or false.");
    }

    private static Optional<Integer> team(@Nullable String text, RequestValidator validator) {
        try {
            return Optional.ofNullable(text).map(Integer::valueOf);
        } catch (NumberFormatException _) {
            validator.requireParameter(false, "team_id", "'team_id' must be an integer.");
            return Optional.empty();
        }
    }

    private static @Nullable String search(@Nullable String text, RequestValidator validator) {
        if (text == null) {
            return null;
        }
        validator.requireParameter(
                !text.isBlank() && text.length() <= MAX_SEARCH && text.indexOf('\0') < 0,
                "q",
                "'q' must have 1 to 100 characters.");
        return text.strip();
    }
}
