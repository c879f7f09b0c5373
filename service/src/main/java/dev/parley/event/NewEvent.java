package dev.parley.event;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.trace.Tracing;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that has not been recorded yet.
 *
 * @param conversation null for an instance without one and for events of the organization
 * @param instance the instance it belongs to; null for a message without one
 * @param data the JSON object that the API returns for the changed entity, without {@code sequence}
 * @param trace the context of the span that caused it; null without tracing
 */
public record NewEvent(
        OrganizationId organization,
        @Nullable ConversationId conversation,
        @Nullable WorkflowInstanceId instance,
        EventType type,
        Instant at,
        String data,
        @Nullable String trace) {
    /** An event in the trace of the current span. */
    public NewEvent(
            OrganizationId organization,
            @Nullable ConversationId conversation,
            @Nullable WorkflowInstanceId instance,
            EventType type,
            Instant at,
            String data) {
        this(organization, conversation, instance, type, at, data, Tracing.context());
    }

    /** The same event in another trace, if there is one. */
    public NewEvent inTrace(@Nullable String context) {
        return context == null ? this : new NewEvent(organization, conversation, instance, type, at, data, context);
    }

    /** The stream whose sequence includes the event: the conversation, else the instance, else the organization. */
    UUID stream() {
        if (conversation != null) {
            return conversation.value();
        }
        return instance == null ? organization.value() : instance.value();
    }
}
