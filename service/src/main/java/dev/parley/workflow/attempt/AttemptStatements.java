package dev.parley.workflow.attempt;

import dev.parley.http.json.JsonColumns;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.attempt.core.ModelUsage;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.sqlobject.config.KeyColumn;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapperFactory;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/**
 * Reads attempts. Engines write them, as {@link AttemptRow}: an attempt that ends with a change of its instance is
 * stored with the change in {@code workflow_instance_log}, any other, and one that was stored while it ran, in
 * {@code workflow_task_attempt}.
 */
@RegisterColumnMapperFactory(JsonColumns.class)
public interface AttemptStatements {
    String SUMMARY = """
             r CROSS JOIN LATERAL jsonb_to_record(r.attempt::jsonb) AS a (task text, item integer, attempt integer,
                status text, started_at timestamptz, finished_at timestamptz, input_tokens bigint,
                output_tokens bigint, cost_micros bigint, model_calls integer, tool_calls integer)
            """;

    String SELECT = "SELECT r.organization_id AS organization, r.instance_id AS instance, r.id, r.content, a.*,"
            + " true AS is_stored FROM ";

    /** The stored executions of one attempt with a status. */
    @SqlQuery(SELECT + "workflow_task_attempt" + SUMMARY + """
            WHERE r.organization_id = :organization AND r.instance_id = :instance AND a.task = :task
              AND a.attempt = :attempt AND a.status = :status ORDER BY r.id""")
    List<TaskAttempt> ofAttempt(@BindMethods TaskAttempt.AttemptKey key, AttemptStatus status);

    /** The keys of an instance's stored executions that have not ended. */
    @SqlQuery(SELECT + "workflow_task_attempt" + SUMMARY + """
            WHERE r.organization_id = :organization AND r.instance_id = :instance AND a.status = 'RUNNING'""")
    List<TaskAttempt.AttemptKey> underWay(OrganizationId organization, WorkflowInstanceId instance);

    /**
     * An instance's attempts, oldest first.
     *
     * @param task null for all tasks
     */
    @SqlQuery(SELECT + """
            (SELECT organization_id, instance_id, attempt_id AS id, attempt, attempt_content AS content
             FROM workflow_instance_change
             WHERE organization_id = :organization AND instance_id = :instance AND attempt_id IS NOT NULL
             UNION ALL
             SELECT organization_id, instance_id, id, attempt, content FROM workflow_task_attempt
             WHERE organization_id = :organization AND instance_id = :instance)""" + SUMMARY + """
            WHERE (:task::text IS NULL OR a.task = :task) AND (:after::uuid IS NULL OR r.id > :after::uuid)
            ORDER BY r.id LIMIT :limit""")
    List<TaskAttempt> list(
            OrganizationId organization,
            WorkflowInstanceId instance,
            @Nullable String task,
            @Nullable TaskAttemptId after,
            int limit);

    /** The total usage of each instance's attempts; instances without attempts are absent. */
    default Map<WorkflowInstanceId, ModelUsage> usage(OrganizationId organization, List<WorkflowInstanceId> instances) {
        return usage(organization, instances, null, null);
    }

    /**
     * The same for attempts that began between two messages.
     *
     * @param after null for all from the beginning
     * @param before null for all until now
     */
    @SqlQuery("""
            SELECT r.instance_id AS instance, sum(a.input_tokens)::bigint AS input_tokens,
                sum(a.output_tokens)::bigint AS output_tokens, sum(a.cost_micros)::bigint AS cost_micros,
                sum(a.model_calls)::int AS model_calls, sum(a.tool_calls)::int AS tool_calls
            FROM (
                SELECT instance_id, attempt_id AS id, attempt FROM workflow_instance_change
                WHERE organization_id = :organization AND instance_id = ANY (:instances) AND attempt IS NOT NULL
                UNION ALL
                SELECT instance_id, id, attempt FROM workflow_task_attempt
                WHERE organization_id = :organization AND instance_id = ANY (:instances))""" + SUMMARY + """
            WHERE (:after::uuid IS NULL OR r.id > :after::uuid) AND (:before::uuid IS NULL OR r.id < :before::uuid)
            GROUP BY r.instance_id""")
    @KeyColumn("instance")
    Map<WorkflowInstanceId, ModelUsage> usage(
            OrganizationId organization,
            List<WorkflowInstanceId> instances,
            @Nullable MessageId after,
            @Nullable MessageId before);

    /** Deletes logs of finished instances: an unfinished one is TERMINATED first, which reads and extends its log. */
    @SqlUpdate("""
            DELETE FROM workflow_instance_log WHERE (organization_id, instance_id, version) IN (
                SELECT l.organization_id, l.instance_id, l.version
                FROM organization o
                    JOIN workflow_instance_log l ON l.organization_id = o.id
                    JOIN workflow_instance i ON i.organization_id = l.organization_id AND i.id = l.instance_id
                WHERE o.deleted_at IS NOT NULL AND i.finished_at IS NOT NULL LIMIT :limit)""")
    int deleteLogs(int limit);

    @SqlUpdate("""
            DELETE FROM workflow_task_attempt WHERE (organization_id, instance_id, id) IN (
                SELECT a.organization_id, a.instance_id, a.id
                FROM organization o JOIN workflow_task_attempt a ON a.organization_id = o.id
                WHERE o.deleted_at IS NOT NULL LIMIT :limit)""")
    int deleteAttempts(int limit);
}
