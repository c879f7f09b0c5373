package dev.parley.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.parley.http.json.RawJson;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A message in the API.
 *
 * @param contentType {@code TEXT}, or the kind of its file
 * @param filename of a media message; absent for others
 * @param metadata the client's metadata, with the areas that the service manages
 */
@JsonPropertyOrder({"id", "conversation_id", "content", "content_type", "filename", "type", "channel", "status"})
@Schema(description = "A message of a conversation.")
public record Message(
        @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$")
        MessageId id,

        @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$")
        ConversationId conversationId,

        @Schema(description = "The text; null for a media message without one.", examples = "Where is my order 4711?")
        @Nullable
        String content,

        @Schema(
                enumeration = {"TEXT", "IMAGE", "VIDEO", "AUDIO", "DOCUMENT", "SPREADSHEET", "FILE"},
                examples = "TEXT")
        String contentType,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Present only for media messages.") @Nullable
        String filename,

        MessageType type,
        @Schema(examples = "API") String channel,
        MessageStatus status,

        @Schema(
                description = "The client's JSON, with the areas that the service manages:"
                        + " workflow_instance_status, workflow_instance_id, workflow_instance_status_updated_at, file,"
                        + " ticket_id, input_request of an INPUT_REQUEST, notice of a SYSTEM message, and values of a"
                        + " HUMAN_RESPONSE.")
        RawJson metadata,

        @Schema(description = "api_key:<id>, user:<id>, agent:<workflow_id> or system")
        String createdBy,

        Instant createdAt,
        Instant updatedAt) {}
