package dev.parley.conversation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.http.json.RawJson;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A conversation. Immutable except for its title.
 *
 * @param config as sent, including workflow_id and callback_url
 * @param metadata as sent; for WORKFLOW_EXECUTION with {@code workflow_id} added
 */
@Schema(description = "A chat session, tied to a workflow when its usecase is WORKFLOW_EXECUTION.")
public record Conversation(
        @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$", examples = "0192f0c1a2b37c4d8e5f60718293a4b5")
        ConversationId id,

        @Schema(description = "Always API.", examples = "API")
        String channel,

        ConversationUsecase usecase,
        RawJson config,
        RawJson metadata,

        @Schema(description = "The team that it belongs to; keys of other teams don't find it.") @Nullable
        Integer teamId,

        @Schema(description = "The name that a person gave it in the dashboard; null for none.") @Nullable
        String title,

        String createdBy,
        Instant createdAt,
        @JsonIgnore @Schema(hidden = true) OrganizationId organization,
        @JsonIgnore @Schema(hidden = true) @Nullable WorkflowId workflowId,
        @JsonIgnore @Schema(hidden = true) @Nullable String callbackUrl) {}
