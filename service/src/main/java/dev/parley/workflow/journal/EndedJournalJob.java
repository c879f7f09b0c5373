package dev.parley.workflow.journal;

import dev.parley.db.Database;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Deletes the journals of instances that have ended, which nothing continues, and those of deleted organizations. */
@Singleton
public final class EndedJournalJob {
    private static final Duration PAUSE = Duration.ofMinutes(10);
    private static final int BATCH = 200;

    private final Database database;

    public EndedJournalJob(Database database) {
        this.database = database;
    }

    @Produces
    @Singleton
    MaintenanceJob endedJournals() {
        return new MaintenanceJob("delete journals of ended instances", PAUSE, this::delete);
    }

    /** Deletes all of them, in batches. */
    public void delete() {
        while (deleteSome() > 0) {
            // There may be more.
        }
    }

    /** Every journal has an entry at position 0. */
    private int deleteSome() {
        return database.with(
                handle -> handle.createUpdate("""
                        DELETE FROM workflow_task_journal WHERE (organization_id, instance_id) IN (
                            SELECT j.organization_id, j.instance_id FROM workflow_task_journal j
                            LEFT JOIN workflow_instance i ON i.organization_id = j.organization_id AND i.id = j.instance_id
                            JOIN organization o ON o.id = j.organization_id
                            WHERE j.position = 0 AND (i.id IS NULL OR i.status NOT IN ('RUNNING', 'PAUSED')
                                OR o.deleted_at IS NOT NULL)
                            LIMIT :batch)""").bind("batch", BATCH).execute());
    }
}
