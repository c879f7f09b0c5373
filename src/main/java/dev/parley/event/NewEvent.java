package dev.parley.event;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens, on its way into the {@link EventLog}.
 *
 * @param conversation null only for an instance without one
 * @param instance what it belongs to; null for a message of no instance
 * @param data the JSON object that the API answers for the changed thing, without {@code sequence}
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

    /** Whose sequence counts it: the conversation's, else the instance's. */
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
