package dev.parley.event;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that has not been recorded yet.
 *
 * @param conversation null only for an instance without one
 * @param instance the instance it belongs to; null for a message without one
 * @param data the JSON object that the API returns for the changed entity, without {@code sequence}
 */
public record NewEvent(
        OrganizationId organization,
        @Nullable ConversationId conversation,
        @Nullable WorkflowInstanceId instance,
        EventType type,
        Instant at,
        String data) {
    public NewEvent {
        if (conversation == null && instance == null) {
            throw new IllegalArgumentException("an event belongs to a conversation or to an instance");
        }
    }

    /** The stream whose sequence includes the event: the conversation, else the instance. */
    UUID stream() {
        if (conversation != null) {
            return conversation.value();
        }
        if (instance == null) {
            throw new IllegalStateException("an event of nothing");
        }
        return instance.value();
    }
}
