package dev.parley.workflow.attempt;

import dev.parley.db.Database;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/**
 * Deletes the logs of finished instances and the attempts of deleted organizations, because they contain prompts and
 * answers.
 */
@Singleton
public final class DeletedOrganizationHistoryJob {
    private static final Duration PAUSE = Duration.ofMinutes(30);
    private static final int BATCH = 1_000;

    /** An unfinished instance is TERMINATED first, which reads and extends its log. */
    private static final String LOGS = """
            DELETE FROM workflow_instance_log WHERE (organization_id, instance_id, version) IN (
                SELECT l.organization_id, l.instance_id, l.version
                FROM organization o
                    JOIN workflow_instance_log l ON l.organization_id = o.id
                    JOIN workflow_instance i ON i.organization_id = l.organization_id AND i.id = l.instance_id
                WHERE o.deleted_at IS NOT NULL AND i.finished_at IS NOT NULL LIMIT :batch)
            """;

    private static final String ATTEMPTS = """
            DELETE FROM workflow_task_attempt WHERE (organization_id, instance_id, id) IN (
                SELECT a.organization_id, a.instance_id, a.id
                FROM organization o JOIN workflow_task_attempt a ON a.organization_id = o.id
                WHERE o.deleted_at IS NOT NULL LIMIT :batch)
            """;

    private final Database database;

    public DeletedOrganizationHistoryJob(Database database) {
        this.database = database;
    }

    @Produces
    @Singleton
    MaintenanceJob forgotten() {
        return new MaintenanceJob("delete the history of deleted organizations", PAUSE, this::delete);
    }

    /** Deletes all of it, in batches. */
    public void delete() {
        for (String statement : List.of(LOGS, ATTEMPTS)) {
            while (deleteSome(statement) == BATCH) {
                // There may be more.
            }
        }
    }

    private int deleteSome(String statement) {
        return database.with(
                handle -> handle.createUpdate(statement).bind("batch", BATCH).execute());
    }
}
