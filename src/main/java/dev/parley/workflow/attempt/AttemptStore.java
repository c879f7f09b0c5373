package dev.parley.workflow.attempt;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.attempt.core.ModelUsage;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.core.result.RowView;
import org.jspecify.annotations.Nullable;

/**
 * Reads attempts. Engines write them, as {@link AttemptRow}: an attempt that ends with a change of its instance is
 * stored with the change in {@code workflow_instance_log}, any other, and one that was stored while it ran, in
 * {@code workflow_task_attempt}.
 */
@Singleton
public final class AttemptStore {
    private static final String SUMMARY = """
            CROSS JOIN LATERAL jsonb_to_record(r.attempt::jsonb) AS a (task text, item integer, attempt integer,
                status text, started_at timestamptz, finished_at timestamptz, input_tokens bigint,
                output_tokens bigint, cost_micros bigint, model_calls integer, tool_calls integer)
            """;
    private static final String COLUMNS = """
            r.organization_id AS organization, r.instance_id AS instance, r.id, r.content, a.*
            """;

    private static final String HAS_ANY =
            "SELECT EXISTS (SELECT FROM workflow_task_attempt WHERE organization_id = ? AND instance_id = ?)";

    private final Database database;

    public AttemptStore(Database database) {
        this.database = database;
    }

    /** The stored executions of one attempt that have not ended. */
    public List<TaskAttempt> underWay(TaskAttempt.AttemptKey key) {
        return ofAttempt(key, AttemptStatus.RUNNING);
    }

    /** The keys of an instance's stored executions that have not ended; most instances have none. */
    public List<TaskAttempt.AttemptKey> underWay(OrganizationId organization, WorkflowInstanceId instance) {
        if (!hasAny(organization, instance)) {
            return List.of();
        }
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM workflow_task_attempt r %s
                        WHERE r.organization_id = :organization AND r.instance_id = :instance AND a.status = 'RUNNING'
                        """.formatted(COLUMNS, SUMMARY))
                .bind("organization", organization)
                .bind("instance", instance)
                .mapTo(TaskAttempt.AttemptKey.class)
                .list());
    }

    /** Whether an execution of an instance has a row of its own. */
    private boolean hasAny(OrganizationId organization, WorkflowInstanceId instance) {
        return database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(HAS_ANY)) {
                statement.setObject(1, organization.value());
                statement.setObject(2, instance.value());
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() && row.getBoolean(1);
                }
            }
        });
    }

    /** The total usage of the executions of one attempt that were lost with their nodes. */
    public ModelUsage lost(TaskAttempt.AttemptKey key) {
        return ofAttempt(key, AttemptStatus.LOST).stream()
                .map(TaskAttempt::usage)
                .reduce(ModelUsage.NONE, ModelUsage::plus);
    }

    private List<TaskAttempt> ofAttempt(TaskAttempt.AttemptKey key, AttemptStatus status) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM workflow_task_attempt r %s
                        WHERE r.organization_id = :organization AND r.instance_id = :instance AND a.task = :task
                          AND a.attempt = :attempt AND a.status = :status ORDER BY r.id
                        """.formatted(COLUMNS, SUMMARY))
                .bind("organization", key.organization())
                .bind("instance", key.instance())
                .bind("task", key.task())
                .bind("attempt", key.attempt())
                .bind("status", status.name())
                .map(AttemptStore::read)
                .list());
    }

    /**
     * An instance's attempts, oldest first.
     *
     * @param task null for all tasks
     */
    public Page<TaskAttempt> list(
            OrganizationId organization,
            WorkflowInstanceId instance,
            @Nullable String task,
            @Nullable TaskAttemptId after,
            int limit) {
        List<TaskAttempt> rows = database.with(handle -> handle.createQuery("""
                        SELECT %s FROM (
                            SELECT organization_id, instance_id, attempt_id AS id, attempt, attempt_content AS content
                            FROM workflow_instance_change
                            WHERE organization_id = :organization AND instance_id = :instance
                              AND attempt_id IS NOT NULL
                            UNION ALL
                            SELECT organization_id, instance_id, id, attempt, content FROM workflow_task_attempt
                            WHERE organization_id = :organization AND instance_id = :instance
                        ) r %s
                        WHERE (CAST(:task AS text) IS NULL OR a.task = :task)
                          AND (CAST(:after AS uuid) IS NULL OR r.id > :after)
                        ORDER BY r.id LIMIT :limit
                        """.formatted(COLUMNS, SUMMARY))
                .bind("organization", organization)
                .bind("instance", instance)
                .bindByType("task", task, String.class)
                .bind("after", after)
                .bind("limit", limit + 1)
                .map(AttemptStore::read)
                .list());
        return Page.of(rows, limit, row -> row.key().id().text());
    }

    /** The total usage of each instance's attempts; instances without attempts are absent. */
    public Map<WorkflowInstanceId, ModelUsage> usage(OrganizationId organization, List<WorkflowInstanceId> instances) {
        record InstanceUsage(
                WorkflowInstanceId instance, @Nested ModelUsage usage) {}
        return database.with(handle -> handle.createQuery("""
                        SELECT r.instance_id AS instance, sum(a.input_tokens)::bigint AS input_tokens,
                            sum(a.output_tokens)::bigint AS output_tokens, sum(a.cost_micros)::bigint AS cost_micros,
                            sum(a.model_calls)::int AS model_calls, sum(a.tool_calls)::int AS tool_calls
                        FROM (
                            SELECT instance_id, attempt FROM workflow_instance_change
                            WHERE organization_id = :organization AND instance_id = ANY(:instances)
                              AND attempt IS NOT NULL
                            UNION ALL
                            SELECT instance_id, attempt FROM workflow_task_attempt
                            WHERE organization_id = :organization AND instance_id = ANY(:instances)
                        ) r %s GROUP BY r.instance_id
                        """.formatted(SUMMARY))
                .bind("organization", organization)
                .bindArray(
                        "instances",
                        UUID.class,
                        instances.stream().map(WorkflowInstanceId::value).toArray())
                .mapTo(InstanceUsage.class)
                .collect(Collectors.toMap(InstanceUsage::instance, InstanceUsage::usage)));
    }

    private static TaskAttempt read(RowView row) {
        return new TaskAttempt(
                row.getRow(TaskAttempt.AttemptKey.class),
                row.getColumn("status", AttemptStatus.class),
                row.getColumn("finished_at", Instant.class),
                row.getRow(ModelUsage.class),
                StrictJson.readTrusted(row.getColumn("content", String.class), TaskAttempt.RecordedContent.class),
                true);
    }
}
