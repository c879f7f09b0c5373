package dev.parley.workflow.instance.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.id.ApiKeyId;
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
 * @param testRun whether it is a test run of a draft, or a sub-workflow of one at any depth
 * @param conversation null for an instance that was triggered without one
 * @param teamId the conversation's team, or the team of the key that triggered it
 * @param definition the document of a test run, as JSON text; null for a published version
 * @param rerunOf the instance that this one reruns; null for none
 * @param rerunFromTask the first task that runs again; null if all do
 * @param parent the task that started the instance; null for none
 * @param inputPreview the beginning of the input, as lists show it; null for no input
 * @param apiKey the key that started it, directly, by a message or by the instance above; null for none
 * @param deadline when an unfinished instance is TERMINATED
 * @param trace the context of the run since the last pause; null without tracing
 */
public record InstanceHeader(
        OrganizationId organization,
        WorkflowInstanceId id,
        WorkflowId workflow,
        int workflowVersion,
        boolean testRun,
        @Nullable ConversationId conversation,
        @Nullable Integer teamId,
        @Nullable String definition,
        @Nullable WorkflowInstanceId rerunOf,
        @Nullable String rerunFromTask,
        @Nullable ParentTask parent,
        @Nullable String inputPreview,
        String createdBy,
        @Nullable ApiKeyId apiKey,
        Instant createdAt,
        Instant deadline,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String trace) {
    public InstanceHeader inTrace(@Nullable String context) {
        return new InstanceHeader(
                organization,
                id,
                workflow,
                workflowVersion,
                testRun,
                conversation,
                teamId,
                definition,
                rerunOf,
                rerunFromTask,
                parent,
                inputPreview,
                createdBy,
                apiKey,
                createdAt,
                deadline,
                context);
    }

    /**
     * The task that runs the instance as a sub-workflow.
     *
     * @param key the idempotency key of the call, which starts one instance
     * @param depth the number of instances above this one
     */
    public record ParentTask(WorkflowInstanceId instance, String task, String key, int depth) {}

    /** The number of instances above this one. */
    public int depth() {
        return parent == null ? 0 : parent.depth();
    }

    /** The {@code created_by} of the instance's messages. */
    public String agent() {
        return "agent:" + workflow.text();
    }
}
