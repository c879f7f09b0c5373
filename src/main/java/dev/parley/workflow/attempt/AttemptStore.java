package dev.parley.workflow.attempt;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.attempt.core.ModelUsage;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the table {@code workflow_task_attempt}. Engines write it: an attempt that ends with a change of its instance
 * is stored with that change, by {@link AttemptRows}, others separately.
 */
@Singleton
public final class AttemptStore {
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
                        SELECT * FROM workflow_task_attempt
                        WHERE organization_id = :organization AND instance_id = :instance AND task_id = :task
                          AND attempt = :attempt AND status = :status ORDER BY id""")
                .bind("organization", key.organization())
                .bind("instance", key.instance())
                .bind("task", key.task())
                .bind("attempt", key.attempt())
                .bind("status", status.name())
                .map((row, _) -> read(row))
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
                        SELECT * FROM workflow_task_attempt
                        WHERE organization_id = :organization AND instance_id = :instance
                          AND (CAST(:task AS text) IS NULL OR task_id = :task)
                          AND (CAST(:after AS uuid) IS NULL OR id > :after)
                        ORDER BY id LIMIT :limit""")
                .bind("organization", organization)
                .bind("instance", instance)
                .bindByType("task", task, String.class)
                .bindByType("after", after == null ? null : after.value(), UUID.class)
                .bind("limit", limit + 1)
                .map((row, _) -> read(row))
                .list());
        return Page.of(rows, limit, row -> row.key().id().text());
    }

    private static TaskAttempt read(ResultSet row) throws SQLException {
        return new TaskAttempt(
                new TaskAttempt.AttemptKey(
                        new OrganizationId(row.getObject("organization_id", UUID.class)),
                        new WorkflowInstanceId(row.getObject("instance_id", UUID.class)),
                        new TaskAttemptId(row.getObject("id", UUID.class)),
                        row.getString("task_id"),
                        row.getInt("attempt"),
                        time(row, "started_at")),
                AttemptStatus.valueOf(row.getString("status")),
                time(row, "finished_at"),
                new ModelUsage(row.getLong("input_tokens"), row.getLong("output_tokens"), row.getLong("cost_micros")),
                StrictJson.readTrusted(row.getString("content"), TaskAttempt.RecordedContent.class));
    }

    private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
