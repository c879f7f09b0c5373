package dev.parley.conversation;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;

/** Identifies a conversation within its organization. */
public record ConversationKey(OrganizationId organization, ConversationId conversation) {}
