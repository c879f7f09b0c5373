package dev.parley.conversation;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import org.jspecify.annotations.Nullable;

/** What processing and access checks need of a conversation: small enough to remember tens of thousands. */
public record ConversationRef(
        OrganizationId organization,
        ConversationId id,
        ConversationUsecase usecase,
        @Nullable Integer teamId,
        @Nullable WorkflowId workflowId,
        @Nullable String callbackUrl) {}
