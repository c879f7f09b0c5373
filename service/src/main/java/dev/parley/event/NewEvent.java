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
 * @param conversation null for an instance without one and for events of the organization
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
    /** The stream whose sequence includes the event: the conversation, else the instance, else the organization. */
    UUID stream() {
        if (conversation != null) {
            return conversation.value();
        }
        return instance == null ? organization.value() : instance.value();
    }
}
