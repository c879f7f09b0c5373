package dev.parley.console;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.console.ConversationSummaryStore.Candidate;
import dev.parley.console.ConversationSummaryStore.ListedSummary;
import dev.parley.console.ConversationSummaryStore.SummaryFilter;
import dev.parley.conversation.ConversationActivityRecorder;
import dev.parley.conversation.ConversationFilter;
import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationService;
import dev.parley.conversation.ConversationUsecase;
import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.access.Viewer;
import dev.parley.id.ConversationId;
import dev.parley.id.Id;
import dev.parley.id.IdRange;
import dev.parley.id.MessageId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowId;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard's list of conversations, and how far the signed-in user has read each. A search examines a limited number
 * of conversations and messages per request, and continues with the next page.
 */
@Path("/dashboard/api/organizations/{orgId}")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Conversations")
@Access(MEMBER)
public final class ConversationSummaryResource {
    /** Conversations that a request with a search examines. */
    static final int SEARCHED_CONVERSATIONS = 100;

    private static final int MAX_SEARCH = 100;

    private final ConversationSummaryStore store;
    private final ConversationActivityRecorder activity;
    private final ConversationService conversations;

    ConversationSummaryResource(
            Database database, ConversationActivityRecorder activity, ConversationService conversations) {
        this.store = database.statements(ConversationSummaryStore.class);
        this.activity = activity;
        this.conversations = conversations;
    }

    /** The body of PUT read-position. */
    @Schema(name = "ReadPosition")
    public record ReadPosition(
            @NotNull
            @Schema(
                    implementation = String.class,
                    description = "The newest message that the user has seen.",
                    pattern = "^[0-9a-f]{32}$")
            MessageId messageId) {}

    @GET
    @Path("/conversation-summaries")
    @Operation(
            summary = "List conversations with their first and last message",
            description =
                    "Those with the latest message first. With q, run_status, unread or mine a request examines 100 "
                            + "conversations and the newest 200 messages of each, so that a page may have few items or "
                            + "none although next is not null. With q, `match` is the newest message that contains it, with the text around it.")
    public Page<ConversationSummary> list(
            @BeanParam MemberRequest member,
            @BeanParam PageRequest page,
            @QueryParam("usecase") @Nullable ConversationUsecase usecase,
            @QueryParam("workflow_id") @Nullable WorkflowId workflow,
            @QueryParam("team_id") @Nullable Integer team,
            @QueryParam("run_status") @Nullable InstanceStatus runStatus,
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
            @Parameter(
                            description = "The id of a conversation, or its first 8 or more digits",
                            schema = @Schema(type = SchemaType.STRING, pattern = "^[0-9a-fA-F-]{8,36}$"))
                    @QueryParam("id")
                    @Nullable
                    String id,
            @Parameter(
                            description = "1 to 100 characters that a title, text or file name contains, in any case",
                            schema = @Schema(type = SchemaType.STRING, minLength = 1, maxLength = MAX_SEARCH))
                    @QueryParam("q")
                    @Nullable
                    String search) {
        Optional<UUID> after = page.after(ConversationId::parse).map(Id::value);
        Optional<IdRange> ids = Optional.ofNullable(id).flatMap(IdRange::ofPrefix);
        var validator = new RequestValidator();
        validator.requireParameter(
                id == null || ids.isPresent(),
                ViolationCode.INVALID_FORMAT,
                "id",
                "'id' must be the first 8 to 32 hex digits of an id.");
        validator.requireParameter(
                search == null || (!search.isBlank() && search.length() <= MAX_SEARCH && search.indexOf('\0') < 0),
                ViolationCode.TOO_LONG,
                "q",
                "'q' must have 1 to 100 characters.",
                Map.of("min", 1, "max", MAX_SEARCH));
        var filter = new SummaryFilter(
                new ConversationFilter(usecase, workflow, team, ids.orElse(null), after.orElse(null)),
                runStatus,
                validator.parameterFlag(unread, "unread"),
                validator.parameterFlag(mine, "mine"),
                search == null ? "" : search.strip());
        validator.done();
        return list(member, filter, page.rows() - 1);
    }

    /** A page of a search may have fewer items than the limit, or none. */
    private Page<ConversationSummary> list(MemberRequest member, SummaryFilter filter, int limit) {
        activity.flush();
        int most = filter.isSearch() ? SEARCHED_CONVERSATIONS : limit;
        ConversationFilter candidates = filter.conversations();
        Page<Candidate> examined = Page.of(
                store.candidates(
                        member.organization(),
                        candidates,
                        candidates.conditions(ConversationSummaryStore.ACTIVITY),
                        most + 1),
                most,
                candidate -> UuidV7.text(candidate.activity()));
        List<ListedSummary> found = store.summaries(
                member.organization(),
                member.user().id(),
                member.createdBy(),
                filter,
                filter.conditions(),
                examined.items().stream().map(Candidate::id).toList(),
                examined.items().stream().map(Candidate::activity).toList(),
                limit + 1);
        Page<ListedSummary> page = Page.of(found, limit, summary -> UuidV7.text(summary.activity()));
        return new Page<>(
                page.items().stream().map(ListedSummary::summary).toList(),
                page.next() == null ? examined.next() : page.next());
    }

    @PUT
    @Path("/conversations/{conversationId}/read-position")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Mark a conversation as read",
            description = "Up to a message, for the signed-in user. The position never moves back.")
    @APIResponse(responseCode = "204", description = "Stored")
    public void markRead(
            @BeanParam MemberRequest member, @PathParam("conversationId") ConversationId id, ReadPosition position) {
        ConversationRef conversation = conversations.find(Viewer.of(member.http()), id);
        store.markRead(member.organization(), member.user().id(), conversation.id(), position.messageId());
    }
}
