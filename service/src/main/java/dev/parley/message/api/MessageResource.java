package dev.parley.message.api;

import static dev.parley.http.access.Access.Caller.KEY;

import dev.parley.http.IdempotencyKeys;
import dev.parley.http.access.Access;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.message.Message;
import dev.parley.message.StorableText;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Accepts messages in the developer API. */
@Access(KEY)
@Path("/developer/api/messages")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
@Tag(name = "Messages")
public final class MessageResource {
    private final MessageService messages;

    public MessageResource(MessageService messages) {
        this.messages = messages;
    }

    /** The body of POST /messages. */
    @FurtherChecks
    @Schema(
            name = "MessageRequest",
            requiredProperties = {"conversation_id", "content_type"})
    public record MessageRequest(
            @Schema(
                    description = "The `id` that `POST /conversations` returned.",
                    examples = "0192f0c1a2b37c4d8e5f60718293a4b5")
            @Nullable
            String conversationId,

            @Schema(description = "text for a text message, else the MIME type of the file.", examples = "text")
            @Nullable
            String contentType,

            @Schema(
                    description = "Required for text: 1 byte to 256 KiB. With a filename it is the file's caption.",
                    maxLength = StorableText.MAX_BYTES,
                    examples = "Where is my order 4711?")
            @Nullable
            String content,

            @Schema(description = "Required for media: the name that `POST /media/presigned-url` returned.") @Nullable
            String filename,

            @Schema(type = SchemaType.OBJECT, description = "At most 4,096 bytes as compact UTF-8 JSON.") @Nullable
            Map<String, @Nullable Object> metadata) {}

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "sendMessage",
            summary = "Send a message",
            description = "Responds after the commit: an acknowledged message is never lost. Processing is "
                    + "asynchronous, in order within a conversation.")
    @APIResponse(responseCode = "404", description = "The conversation does not exist, or the key has no access to it")
    @APIResponse(
            responseCode = "429",
            description = "The organization's limit is reached; `Retry-After` says when to try again")
    @APIResponse(
            responseCode = "200",
            description = "Stored",
            content = @Content(schema = @Schema(implementation = Message.class)))
    public CompletionStage<Response> send(
            @Context RoutingContext http,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey,
            MessageRequest request) {
        return messages.send(ApiKeyCaller.of(http), idempotencyKey, request);
    }
}
