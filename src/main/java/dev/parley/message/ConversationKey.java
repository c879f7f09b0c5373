package dev.parley.message;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;

record ConversationKey(OrganizationId organization, ConversationId conversation) {}
