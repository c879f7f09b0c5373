package dev.parley.workflow.attempt;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.attempt.core.ModelUsage;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.core.result.RowView;
import org.jspecify.annotations.Nullable;

/**
 * Reads the table {@code workflow_task_attempt}. Engines write it: an attempt that ends with a change of its instance
 * is stored with that change, by {@link AttemptRows}, others separately.
 */
@Singleton
public final class AttemptStore {
    private static final String COLUMNS = """
            organization_id AS organization, instance_id AS instance, id, task_id AS task, item, attempt, started_at, status,
            finished_at, input_tokens, output_tokens, cost_micros, model_calls, tool_calls, content""";

    private final Database database;

    public AttemptStore(Database database) {
        this.database = database;
    }

    /** The stored executions of one attempt that have not ended. */
    public List<TaskAttempt> underWay(TaskAttempt.AttemptKey key) {
        return ofAttempt(key, AttemptStatus.RUNNING);
    }

    /** The total usage of the executions of one attempt that were lost with their nodes. */
    public ModelUsage lost(TaskAttempt.AttemptKey key) {
        return ofAttempt(key, AttemptStatus.LOST).stream()
                .map(TaskAttempt::usage)
                .reduce(ModelUsage.NONE, ModelUsage::plus);
    }

    private List<TaskAttempt> ofAttempt(TaskAttempt.AttemptKey key, AttemptStatus status) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM workflow_task_attempt
                        WHERE organization_id = :organization AND instance_id = :instance AND task_id = :task
                          AND attempt = :attempt AND status = :status ORDER BY id""".formatted(COLUMNS))
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
                        SELECT %s FROM workflow_task_attempt
                        WHERE organization_id = :organization AND instance_id = :instance
                          AND (CAST(:task AS text) IS NULL OR task_id = :task)
                          AND (CAST(:after AS uuid) IS NULL OR id > :after)
                        ORDER BY id LIMIT :limit""".formatted(COLUMNS))
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
                        SELECT instance_id AS instance, sum(input_tokens)::bigint AS input_tokens,
                            sum(output_tokens)::bigint AS output_tokens, sum(cost_micros)::bigint AS cost_micros,
                            sum(model_calls)::int AS model_calls, sum(tool_calls)::int AS tool_calls
                        FROM workflow_task_attempt
                        WHERE organization_id = :organization AND instance_id = ANY(:instances) GROUP BY instance_id
                        """)
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
                StrictJson.readTrusted(row.getColumn("content", String.class), TaskAttempt.RecordedContent.class));
    }
}
