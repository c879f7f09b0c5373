package dev.parley.workflow.task.coder;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.sqlobject.config.KeyColumn;
import org.jdbi.v3.sqlobject.config.ValueColumn;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The table {@code workflow_task_console}: the console output of tasks' code. */
public interface ConsoleStore {
    /** The attempt of a task that wrote the output. */
    record ConsoleKey(String task, int attempt) {}

    /** Stores the output of an attempt; a repeated execution on another node replaces it. */
    @SqlUpdate("""
            INSERT INTO workflow_task_console (organization_id, instance_id, task_id, attempt, text, at)
            VALUES (:organization, :instance, :task, :attempt, :text, :now)
            ON CONFLICT (organization_id, instance_id, task_id, attempt)
            DO UPDATE SET text = excluded.text, at = excluded.at""")
    void store(
            OrganizationId organization,
            WorkflowInstanceId instance,
            String task,
            int attempt,
            String text,
            Instant now);

    /** The output of attempts; those without output are absent. */
    @SqlQuery("""
            SELECT c.task_id AS task, c.attempt, c.text FROM unnest(:tasks, :attempts) AS a (task_id, attempt)
            JOIN workflow_task_console c ON c.task_id = a.task_id AND c.attempt = a.attempt
            WHERE c.organization_id = :organization AND c.instance_id = :instance""")
    @ValueColumn("text")
    Map<ConsoleKey, String> of(
            OrganizationId organization, WorkflowInstanceId instance, List<String> tasks, List<Integer> attempts);

    /** The output of each task's last attempt with output, by task id. */
    @SqlQuery("""
            SELECT DISTINCT ON (task_id) task_id, text FROM workflow_task_console
            WHERE organization_id = :organization AND instance_id = :instance
            ORDER BY task_id, attempt DESC""")
    @KeyColumn("task_id")
    @ValueColumn("text")
    Map<String, String> of(OrganizationId organization, WorkflowInstanceId instance);
}
