package dev.parley.workflow.instance.store;

import dev.parley.http.IdempotencyKeys;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;

/**
 * What must be stored together with a change of an instance, as data that any engine can carry. It is applied in the
 * transaction that first stores the change's version, so that an engine may repeat a change without repeating it.
 */
public sealed interface Companion {
    /** Marks the user's message that the change consumes as DELIVERED; the change fails when it is delivered already. */
    record DeliverMessage(OrganizationId organization, ConversationId conversation, MessageId message)
            implements Companion {}

    /**
     * Claims an idempotency key, with the instance after the change as the stored response; the change fails when the
     * key is taken.
     *
     * @param status HTTP status of the stored response
     */
    record ClaimIdempotencyKey(IdempotencyKeys.Claim claim, int status) implements Companion {}
}
