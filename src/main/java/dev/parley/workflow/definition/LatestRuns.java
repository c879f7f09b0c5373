package dev.parley.workflow.definition;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Provides the latest runs of workflows for the workflow list; implemented by the instance package. */
@FunctionalInterface
public interface LatestRuns {
    /** The maximum number of runs per workflow. */
    int MAX_RUNS = 5;

    /** One of a workflow's newest runs. */
    @Schema(name = "LatestRun")
    record Run(
            WorkflowInstanceId workflowInstanceId,

            @Schema(enumeration = {"RUNNING", "PAUSED", "COMPLETED", "FAILED", "CANCELLED", "TERMINATED"})
            String status,

            Instant createdAt,
            @Nullable Instant finishedAt) {}

    /** The newest runs of each of these workflows, newest first; workflows without runs are absent. */
    Map<WorkflowId, List<Run>> of(OrganizationId organization, List<WorkflowId> workflows);
}
