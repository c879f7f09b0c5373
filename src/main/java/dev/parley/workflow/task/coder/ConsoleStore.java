package dev.parley.workflow.task.coder;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table {@code workflow_task_console}: the console output of tasks' code. */
@Singleton
public final class ConsoleStore {
    private final Database database;
    private final Clock clock;

    public ConsoleStore(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Stores the output of an attempt; a repeated execution on another node replaces it. */
    void keep(OrganizationId organization, WorkflowInstanceId instance, String task, int attempt, String text) {
        if (text.isEmpty()) {
            return;
        }
        database.change(handle -> handle.createUpdate("""
                        INSERT INTO workflow_task_console (organization_id, instance_id, task_id, attempt, text, at)
                        VALUES (:organization, :instance, :task, :attempt, :text, :now)
                        ON CONFLICT (organization_id, instance_id, task_id, attempt)
                        DO UPDATE SET text = excluded.text, at = excluded.at""")
                .bind("organization", organization)
                .bind("instance", instance)
                .bind("task", task)
                .bind("attempt", attempt)
                .bind("text", text)
                .bind("now", clock.instant())
                .execute());
    }

    /** The attempt of a task that wrote the output. */
    public record ConsoleKey(String task, int attempt) {}

    /** The output of these attempts; those without output are absent. */
    public Map<ConsoleKey, String> of(
            OrganizationId organization, WorkflowInstanceId instance, List<ConsoleKey> attempts) {
        if (attempts.isEmpty()) {
            return Map.of();
        }
        return database.with(handle -> handle.createQuery("""
                        SELECT c.task_id, c.attempt, c.text FROM unnest(:tasks, :attempts) AS a (task_id, attempt)
                        JOIN workflow_task_console c ON c.task_id = a.task_id AND c.attempt = a.attempt
                        WHERE c.organization_id = :organization AND c.instance_id = :instance""")
                .bind("organization", organization)
                .bind("instance", instance)
                .bindArray(
                        "tasks",
                        String.class,
                        attempts.stream().map(ConsoleKey::task).toList())
                .bindArray(
                        "attempts",
                        Integer.class,
                        attempts.stream().map(ConsoleKey::attempt).toList())
                .reduceRows(new HashMap<>(), (all, row) -> {
                    all.put(
                            new ConsoleKey(
                                    row.getColumn("task_id", String.class), row.getColumn("attempt", Integer.class)),
                            row.getColumn("text", String.class));
                    return all;
                }));
    }

    /** The output of each task's last attempt with output, by task id. */
    public Map<String, String> of(OrganizationId organization, WorkflowInstanceId instance) {
        return database.with(handle -> handle.createQuery("""
                        SELECT DISTINCT ON (task_id) task_id, text FROM workflow_task_console
                        WHERE organization_id = :organization AND instance_id = :instance
                        ORDER BY task_id, attempt DESC""")
                .bind("organization", organization)
                .bind("instance", instance)
                .reduceRows(new HashMap<>(), (all, row) -> {
                    all.put(row.getColumn("task_id", String.class), row.getColumn("text", String.class));
                    return all;
                }));
    }
}
