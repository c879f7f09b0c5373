package dev.parley.event;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import java.util.Optional;

/** Looks up the callback URL of a conversation, which never changes. Implemented by the conversation package. */
@FunctionalInterface
public interface ConversationCallbacks {
    /** Answered from the cache for a conversation in use. */
    Optional<String> url(OrganizationId organization, ConversationId conversation);
}
