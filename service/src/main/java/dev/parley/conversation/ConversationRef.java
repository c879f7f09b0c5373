package dev.parley.conversation;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a conversation needed for processing and access checks: small, so that tens of thousands can be
 * cached.
 */
public record ConversationRef(
        OrganizationId organization,
        ConversationId id,
        ConversationUsecase usecase,
        @Nullable Integer teamId,
        @Nullable WorkflowId workflowId,
        @Nullable String callbackUrl) {}
