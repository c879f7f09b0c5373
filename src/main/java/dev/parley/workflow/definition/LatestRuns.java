package dev.parley.workflow.definition;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** How workflows fared lately, for their list; instances, which build upon this package, know it. */
@FunctionalInterface
public interface LatestRuns {
    /** So many of each workflow. */
    int MOST = 5;

    /** One of a workflow's newest runs. */
    @Schema(name = "LatestRun")
    record Run(
            WorkflowInstanceId workflowInstanceId,

            @Schema(enumeration = {"RUNNING", "PAUSED", "COMPLETED", "FAILED", "CANCELLED", "TERMINATED"})
            String status,

            Instant createdAt,
            @Nullable Instant finishedAt) {}

    /** The newest runs of each of these workflows, newest first; those without any are left out. */
    Map<WorkflowId, List<Run>> of(OrganizationId organization, List<WorkflowId> workflows);
}
