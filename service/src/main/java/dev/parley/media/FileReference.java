package dev.parley.media;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The use of a file, which makes it visible to keys restricted to the team or the workflow.
 *
 * @param usedBy a conversation or a workflow instance
 * @param instance whose task made the file; null for an upload
 */
public record FileReference(
        OrganizationId organization,
        UUID usedBy,
        @Nullable WorkflowInstanceId instance,
        @Nullable Integer teamId,
        @Nullable WorkflowId workflowId) {
    public static FileReference conversation(
            OrganizationId organization,
            ConversationId conversation,
            @Nullable Integer teamId,
            @Nullable WorkflowId workflowId) {
        return new FileReference(organization, conversation.value(), null, teamId, workflowId);
    }

    /** The use by a task: belongs to the conversation of the instance, or to the instance if it has none. */
    public static FileReference task(
            OrganizationId organization,
            WorkflowInstanceId instance,
            @Nullable ConversationId conversation,
            @Nullable Integer teamId,
            WorkflowId workflowId) {
        return new FileReference(
                organization,
                conversation == null ? instance.value() : conversation.value(),
                instance,
                teamId,
                workflowId);
    }
}
