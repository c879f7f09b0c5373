package dev.parley.workflow.instance.store;

import dev.parley.http.IdempotencyKeys;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import org.jspecify.annotations.Nullable;

/**
 * Data that must be stored together with a change of an instance, in a form that any engine can carry. Applied in the
 * transaction that first stores the change's version, so that repeating a change does not apply it twice.
 */
public sealed interface Companion {
    /**
     * Marks the user's message that the change consumes as DELIVERED; the change fails if it is already delivered.
     *
     * @param isPublished whether its message.created event has been written
     */
    record DeliverMessage(
            OrganizationId organization, ConversationId conversation, MessageId message, boolean isPublished)
            implements Companion {}

    /**
     * Claims an idempotency key, with the instance after the change as the stored response; the change fails if the key
     * is already claimed.
     *
     * @param status HTTP status of the stored response
     */
    record ClaimIdempotencyKey(IdempotencyKeys.Claim claim, int status) implements Companion {}

    /**
     * Stores the user's message that the change consumes. The change fails if the conversation has a later message or
     * another unfinished instance, or if the idempotency key is already claimed.
     *
     * @param claim null for none; its stored response has the ids of the conversation and the message
     */
    record StoreMessage(
            OrganizationId organization,
            ConversationId conversation,
            MessageId message,
            String content,
            String createdBy,
            IdempotencyKeys.@Nullable Claim claim)
            implements Companion {
        /** Where a stored message is found. */
        public record MessageAddress(ConversationId conversation, MessageId message) {}

        public MessageAddress address() {
            return new MessageAddress(conversation, message);
        }
    }
}
