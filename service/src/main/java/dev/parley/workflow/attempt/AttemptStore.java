package dev.parley.workflow.attempt;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.attempt.core.ModelUsage;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;

/** The executions of attempts that were stored while they ran. */
@Singleton
public final class AttemptStore {
    private static final String HAS_ANY =
            "SELECT EXISTS (SELECT FROM workflow_task_attempt WHERE organization_id = ? AND instance_id = ?)";

    private final Database database;
    private final AttemptStatements statements;

    public AttemptStore(Database database) {
        this.database = database;
        this.statements = database.statements(AttemptStatements.class);
    }

    /** The stored executions of one attempt that have not ended. */
    public List<TaskAttempt> underWay(TaskAttempt.AttemptKey key) {
        return statements.ofAttempt(key, AttemptStatus.RUNNING);
    }

    /** The keys of an instance's stored executions that have not ended; most instances have none. */
    public List<TaskAttempt.AttemptKey> underWay(OrganizationId organization, WorkflowInstanceId instance) {
        return hasAny(organization, instance) ? statements.underWay(organization, instance) : List.of();
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
        return statements.ofAttempt(key, AttemptStatus.LOST).stream()
                .map(TaskAttempt::usage)
                .reduce(ModelUsage.NONE, ModelUsage::plus);
    }
}
