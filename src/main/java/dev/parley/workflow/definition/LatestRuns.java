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
public interface LatestRuns {
    /** The maximum number of runs per workflow. */
    int MAX_RUNS = 5;

    /** One of a workflow's newest runs. */
    @Schema(name = "LatestRun")
    record Run(
            WorkflowInstanceId workflowInstanceId,

            @Schema(enumeration = {"RUNNING", "PAUSED", "COMPLETED", "FAILED", "CANCELLED", "TERMINATED"})
            String status,

            @Schema(description = "Whether it is a test run of the draft, or a sub-workflow of one")
            boolean testRun,

            Instant createdAt,
            @Nullable Instant finishedAt) {}

    /** The newest runs of each of these workflows, newest first; workflows without runs are absent. */
    Map<WorkflowId, List<Run>> of(OrganizationId organization, List<WorkflowId> workflows);

    /** The maximum number of runs per workflow in a success rate. */
    int MAX_RATED = 100;

    /** How the recent runs of a workflow ended; test runs do not count. */
    @Schema(name = "SuccessRate")
    record SuccessRate(
            @Schema(examples = "48") int completed,
            @Schema(examples = "2") int failed,

            @Schema(
                    description =
                            "Whether 100 runs were examined, the maximum; older runs of that time are not counted")
            boolean more) {
        public static final SuccessRate NONE = new SuccessRate(0, 0, false);
    }

    /** The runs that were created since; workflows without such runs are absent. */
    Map<WorkflowId, SuccessRate> successRates(OrganizationId organization, List<WorkflowId> workflows, Instant since);
}
