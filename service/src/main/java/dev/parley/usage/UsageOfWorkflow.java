package dev.parley.usage;

import dev.parley.id.WorkflowId;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The ended runs of a workflow in a period, and what its tasks used. */
public record UsageOfWorkflow(
        WorkflowId workflowId,
        long runsCompleted,
        long runsFailed,
        long runsCancelled,
        long runsTerminated,
        long inputTokens,
        long outputTokens,

        @Schema(description = "Millionths of the currency of the price settings")
        long costMicros) {}
