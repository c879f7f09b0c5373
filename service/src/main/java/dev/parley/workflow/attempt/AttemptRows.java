package dev.parley.workflow.attempt;

import dev.parley.db.BatchInsert;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Parts of larger statements for rows of {@code workflow_task_attempt}: one array per column. */
public final class AttemptRows {
    private AttemptRows() {}

    /**
     * Inserts attempts; {@link #bind} binds its parameters. The tables after {@code FROM} may join others, such as a
     * fence. Replaces only a row of a RUNNING attempt.
     *
     * @param join follows the rows, which are called {@code a}
     */
    public static String insert(String join) {
        return """
                INSERT INTO workflow_task_attempt (organization_id, instance_id, id, attempt, content)
                SELECT a.* FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::text[])
                    AS a (organization_id, instance_id, id, attempt, content) %s
                ON CONFLICT (organization_id, instance_id, id) DO UPDATE SET
                    attempt = EXCLUDED.attempt, content = EXCLUDED.content
                WHERE workflow_task_attempt.attempt::jsonb ->> 'status' = 'RUNNING'
                """.formatted(join);
    }

    /** Binds the rows from a parameter index on, and returns the next index. */
    public static int bind(PreparedStatement statement, int first, List<AttemptRow> rows) throws SQLException {
        return new BatchInsert<>(statement, first, rows)
                .ids(AttemptRow::organization)
                .ids(AttemptRow::instance)
                .ids(AttemptRow::id)
                .texts(AttemptRow::attempt)
                .texts(AttemptRow::content)
                .next();
    }
}
