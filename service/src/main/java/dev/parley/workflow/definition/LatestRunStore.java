package dev.parley.workflow.definition;

import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jspecify.annotations.Nullable;

/** The newest instances of workflows, for the list of workflows. */
public interface LatestRunStore {
    /** The maximum number of runs per workflow. */
    int MAX_RUNS = 5;

    /** The maximum number of runs per workflow in a success rate. */
    int MAX_RATED = 100;

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

    /** A run with its workflow. */
    record WorkflowRun(WorkflowId workflow, @Nested Run run) {}

    /** A success rate with its workflow. */
    record RatedWorkflow(WorkflowId workflow, @Nested SuccessRate rate) {}

    /** The newest runs of each of these workflows, newest first; workflows without runs are absent. */
    default Map<WorkflowId, List<Run>> latest(OrganizationId organization, List<WorkflowId> workflows) {
        return runs(organization, workflows, MAX_RUNS).stream()
                .collect(Collectors.groupingBy(
                        WorkflowRun::workflow, Collectors.mapping(WorkflowRun::run, Collectors.toList())));
    }

    /** The runs that were created since, without test runs; workflows without such runs are absent. */
    default Map<WorkflowId, SuccessRate> successRates(
            OrganizationId organization, List<WorkflowId> workflows, Instant since) {
        return rates(organization, workflows, since, UuidV7.floor(since), MAX_RATED).stream()
                .collect(Collectors.toMap(RatedWorkflow::workflow, RatedWorkflow::rate));
    }

    /** One statement for all workflows, which reads the end of each one's index range. */
    @SqlQuery("""
            SELECT latest.*, latest.workflow_id AS workflow, latest.id AS workflow_instance_id
            FROM unnest(:workflows) AS wanted (id) CROSS JOIN LATERAL (
                SELECT workflow_id, id, status, test_run, created_at, finished_at FROM workflow_instance
                WHERE organization_id = :organization AND workflow_id = wanted.id
                ORDER BY id DESC LIMIT :most
            ) AS latest ORDER BY id DESC""")
    List<WorkflowRun> runs(OrganizationId organization, List<WorkflowId> workflows, int most);

    /** @param oldest the first id of the time */
    @SqlQuery("""
            SELECT wanted.id AS workflow, count(*) FILTER (WHERE status = 'COMPLETED') AS completed,
                count(*) FILTER (WHERE status = 'FAILED') AS failed, count(*) >= :most AS more
            FROM unnest(:workflows) AS wanted (id) CROSS JOIN LATERAL (
                SELECT status, created_at FROM workflow_instance
                WHERE organization_id = :organization AND workflow_id = wanted.id AND id >= :oldest AND NOT test_run
                ORDER BY id DESC LIMIT :most
            ) AS latest WHERE created_at >= :since GROUP BY wanted.id""")
    List<RatedWorkflow> rates(
            OrganizationId organization, List<WorkflowId> workflows, Instant since, UUID oldest, int most);
}
