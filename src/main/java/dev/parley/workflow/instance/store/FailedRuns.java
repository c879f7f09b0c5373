package dev.parley.workflow.instance.store;

import dev.parley.id.WorkflowId;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The number of failed instances of a workflow. */
@Schema(name = "FailedRuns")
public record FailedRuns(
        WorkflowId workflowId, @Schema(examples = "3") int count) {}
