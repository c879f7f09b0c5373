package dev.parley.workflow.attempt;

import dev.parley.db.Database;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Deletes the attempts of deleted organizations, because they contain prompts and answers. */
@Singleton
public final class DeletedOrganizationAttemptJob {
    private static final Duration PAUSE = Duration.ofMinutes(30);
    private static final int BATCH = 1_000;

    private final Database database;

    public DeletedOrganizationAttemptJob(Database database) {
        this.database = database;
    }

    @Produces
    @Singleton
    MaintenanceJob forgotten() {
        return new MaintenanceJob("delete attempts of deleted organizations", PAUSE, this::delete);
    }

    /** Deletes all of them, in batches. */
    public void delete() {
        while (deleteSome() == BATCH) {
            // There may be more.
        }
    }

    private int deleteSome() {
        return database.with(
                handle -> handle.createUpdate("""
                        DELETE FROM workflow_task_attempt WHERE (organization_id, instance_id, id) IN (
                            SELECT a.organization_id, a.instance_id, a.id
                            FROM organization o JOIN workflow_task_attempt a ON a.organization_id = o.id
                            WHERE o.deleted_at IS NOT NULL LIMIT :batch)""").bind("batch", BATCH).execute());
    }
}
