package dev.parley.event.delta;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a text belongs to.
 *
 * @param conversation null only for an instance without one
 * @param instance null for a reply of the chat model
 */
public record TextSource(
        OrganizationId organization,
        @Nullable ConversationId conversation,
        @Nullable WorkflowInstanceId instance) {
    /** The conversation, else the instance, as in the event log. */
    public UUID stream() {
        return conversation != null
                ? conversation.value()
                : Objects.requireNonNull(instance).value();
    }

    StreamId streamId() {
        return new StreamId(organization, stream());
    }

    /** A stream of the event log. */
    public record StreamId(OrganizationId organization, UUID stream) {}
}
