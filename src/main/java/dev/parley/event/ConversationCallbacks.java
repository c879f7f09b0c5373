package dev.parley.event;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import java.util.Optional;

/** Tells the callback URL of a conversation, which never changes. The conversations' package implements it. */
@FunctionalInterface
public interface ConversationCallbacks {
    /** From memory for a conversation in use. */
    Optional<String> url(OrganizationId organization, ConversationId conversation);
}
