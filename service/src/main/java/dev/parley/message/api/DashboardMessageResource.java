package dev.parley.message.api;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationService;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.access.Viewer;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.message.Message;
import dev.parley.message.MessageReader;
import dev.parley.message.StorableText;
import dev.parley.organization.MemberRequest;
import dev.parley.organization.Organizations;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The messages of a conversation in the dashboard's API: reading, and sending as the signed-in user. */
@Path("/dashboard/api/organizations/{orgId}/conversations/{conversationId}/messages")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Conversations")
@Access(MEMBER)
public final class DashboardMessageResource {
    private final ConversationService conversations;
    private final MessageReader reader;
    private final MessageService messages;
    private final Organizations organizations;

    public DashboardMessageResource(
            ConversationService conversations,
            MessageReader reader,
            MessageService messages,
            Organizations organizations) {
        this.conversations = conversations;
        this.reader = reader;
        this.messages = messages;
        this.organizations = organizations;
    }

    /** A message sent by a dashboard user. */
    @FurtherChecks
    @Schema(name = "DashboardMessageRequest")
    public record UserMessageRequest(
            @Schema(description = "text, the default, or the MIME type of the file.", examples = "text") @Nullable
            String contentType,

            @Schema(
                    description = "1 byte to 256 KiB; required for text, a caption beside a file.",
                    maxLength = StorableText.MAX_BYTES)
            @Nullable
            String content,

            @Schema(description = "Required for media: the name returned by media/presigned-url.") @Nullable
            String filename,

            @Schema(type = SchemaType.OBJECT, description = "At most 4,096 bytes as compact UTF-8 JSON.") @Nullable
            Map<String, @Nullable Object> metadata) {}

    @GET
    @Operation(summary = "Read a conversation's messages, newest first")
    public Page<Message> list(
            @BeanParam MemberRequest member,
            @PathParam("conversationId") ConversationId id,
            @BeanParam PageRequest page) {
        Optional<MessageId> after = page.after(MessageId::parse);
        ConversationRef conversation = conversations.find(Viewer.of(member.http()), id);
        return reader.page(member.organization(), conversation.id(), after.orElse(null), page.rows() - 1);
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "sendConversationMessage",
            summary = "Send a message as the signed-in user",
            description = "Counts toward the organization's message rate.")
    @APIResponse(responseCode = "200", description = "Stored")
    @APIResponse(responseCode = "429", description = "The organization's message rate is reached")
    public Message send(
            @BeanParam MemberRequest member,
            @PathParam("conversationId") ConversationId id,
            UserMessageRequest request) {
        var validator = RequestValidator.of(request);
        MediaPart media = MediaPart.check(request.contentType, request.filename, request.content, validator);
        if (media == null) {
            MessageService.checkText(request.content, validator);
        }
        String metadata = MessageService.checkMetadata(request.metadata, validator);
        validator.done();
        ConversationRef conversation = conversations.find(Viewer.of(member.http()), id);
        try {
            return messages.sendAs(
                            member.createdBy(),
                            conversation,
                            organizations.messagesPerMinute(member.organization()),
                            request.content == null ? "" : request.content,
                            media,
                            metadata)
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof ApiProblem problem ? problem : e;
        }
    }
}
