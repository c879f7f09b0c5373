package dev.parley.event.delta;

import dev.parley.event.EventLog.StreamKey;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a text.
 *
 * @param conversation null only for an instance without one
 * @param instance null for a reply of the chat model
 */
public record TextSource(
        OrganizationId organization,
        @Nullable ConversationId conversation,
        @Nullable WorkflowInstanceId instance) {
    /** The stream of the conversation, else of the instance, as in the event log. */
    public StreamKey key() {
        return new StreamKey(
                organization,
                conversation != null
                        ? conversation.value()
                        : Objects.requireNonNull(instance).value());
    }
}
