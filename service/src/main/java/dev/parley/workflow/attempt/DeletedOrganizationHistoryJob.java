package dev.parley.workflow.attempt;

import dev.parley.db.Database;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Deletes the logs of finished instances and the attempts of deleted organizations, because they contain prompts and
 * answers.
 */
@Singleton
public final class DeletedOrganizationHistoryJob {
    private static final Duration PAUSE = Duration.ofMinutes(30);
    private static final int BATCH = 1_000;

    private final AttemptStatements statements;

    public DeletedOrganizationHistoryJob(Database database) {
        this.statements = database.statements(AttemptStatements.class);
    }

    @Produces
    @Singleton
    MaintenanceJob forgotten() {
        return new MaintenanceJob("delete the history of deleted organizations", PAUSE, this::delete);
    }

    /** Deletes all of it, in batches. */
    public void delete() {
        while (statements.deleteLogs(BATCH) + statements.deleteAttempts(BATCH) > 0) {
            // There may be more.
        }
    }
}
