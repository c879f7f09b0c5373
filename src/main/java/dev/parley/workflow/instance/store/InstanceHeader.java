package dev.parley.workflow.instance.store;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The immutable properties of an instance.
 *
 * @param workflowVersion the published version; 0 for a test run of a draft
 * @param conversation null for an instance that was triggered without one
 * @param teamId the conversation's team, or the team of the key that triggered it
 * @param definition the document of a test run, as JSON text; null for a published version
 * @param deadline when an unfinished instance is TERMINATED
 */
public record InstanceHeader(
        OrganizationId organization,
        WorkflowInstanceId id,
        WorkflowId workflow,
        int workflowVersion,
        @Nullable ConversationId conversation,
        @Nullable Integer teamId,
        @Nullable String definition,
        String createdBy,
        Instant createdAt,
        Instant deadline) {
    /** The {@code created_by} of the instance's messages. */
    public String agent() {
        return "agent:" + workflow.text();
    }
}
