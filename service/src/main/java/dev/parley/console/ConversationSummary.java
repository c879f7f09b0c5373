package dev.parley.console;

import dev.parley.conversation.ConversationUsecase;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.WorkflowId;
import dev.parley.message.MessageType;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import java.time.Instant;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.core.mapper.PropagateNull;
import org.jspecify.annotations.Nullable;

/**
 * A conversation in the dashboard's list.
 *
 * @param match the newest message that contains the searched text, with the text around it; null without a search, and
 *     if only the title contains it
 */
@Schema(description = "A conversation with its first and its last message.")
public record ConversationSummary(
        @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$")
        ConversationId id,

        @Schema(description = "The name that a person gave it; null for none.") @Nullable
        String title,

        ConversationUsecase usecase,

        @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$") @Nullable
        WorkflowId workflowId,

        @Nullable Integer teamId,
        String createdBy,
        Instant createdAt,
        @Nested("first") @Nullable MessageLine firstMessage,
        @Nested("last") @Nullable MessageLine lastMessage,
        @Nested("match") @Nullable MessageLine match,

        @Schema(description = "The time of the last message; of the creation if there is none.")
        Instant lastActivityAt,

        @Schema(description = "The status of the run of the last message; null for none.") @Nullable
        InstanceStatus runStatus,

        @Schema(description = "Whether the last message is of someone else, and newer than what the user has read.")
        boolean unread) {

    /** The beginning of a message. */
    @PropagateNull("id")
    public record MessageLine(
            @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$")
            MessageId id,

            MessageType type,

            @Schema(description = "At most 300 characters; null for a file without a caption.") @Nullable
            String text,

            @Nullable String filename,

            @Schema(
                    description = "The notice, input_request or values of a message of the service; null for other"
                            + " messages, for a match, and above 4,096 characters.")
            @Nullable
            Map<String, Object> metadata,

            String createdBy,
            Instant createdAt) {}
}
