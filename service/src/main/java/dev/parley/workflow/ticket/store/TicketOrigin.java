package dev.parley.workflow.ticket.store;

import dev.parley.id.ConversationId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The subject of a ticket: one attempt of a task of an instance.
 *
 * @param workflowName the workflow's name when the ticket was opened
 * @param conversationId null for an instance without a conversation
 * @param item the index of the item, for a task that runs for each of them; null otherwise
 * @param attempt the execution that waits for the ticket, counted from 1
 * @param testRun whether the instance is a test run of a draft, or a sub-workflow of one
 */
public record TicketOrigin(
        WorkflowId workflowId,
        int workflowVersion,
        String workflowName,
        WorkflowInstanceId workflowInstanceId,
        @Nullable ConversationId conversationId,
        String taskId,
        String taskName,

        @Schema(description = "The index of the item, from 0, for a task with for_each.") @Nullable
        Integer item,

        int attempt,

        @Schema(description = "Whether the run is a test of a draft. The person who started it is an assignee.")
        boolean testRun) {}
