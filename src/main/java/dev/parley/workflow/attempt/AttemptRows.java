package dev.parley.workflow.attempt;

import dev.parley.db.ColumnArray;
import dev.parley.http.StrictJson;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Parts of larger statements for rows of {@code workflow_task_attempt}: one array per column. */
public final class AttemptRows {
    private static final String COLUMNS = """
            organization_id, instance_id, id, task_id, attempt, status, started_at, finished_at, input_tokens,
            output_tokens, cost_micros, content
            """;

    /**
     * Inserts attempts; {@link #bind} binds its parameters. The tables after {@code FROM} may join others, such as a
     * fence. Replaces only a row of a RUNNING attempt.
     *
     * @param join follows the rows, which are called {@code a}
     */
    public static String insert(String join) {
        return """
                INSERT INTO workflow_task_attempt (%s)
                SELECT a.* FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::int4[], ?::text[],
                    ?::timestamptz[], ?::timestamptz[], ?::int8[], ?::int8[], ?::int8[], ?::text[]) AS a (%s) %s
                ON CONFLICT (organization_id, instance_id, id) DO UPDATE SET
                    status = EXCLUDED.status, finished_at = EXCLUDED.finished_at,
                    input_tokens = EXCLUDED.input_tokens, output_tokens = EXCLUDED.output_tokens,
                    cost_micros = EXCLUDED.cost_micros, content = EXCLUDED.content
                WHERE workflow_task_attempt.status = 'RUNNING'
                """.formatted(COLUMNS, COLUMNS, join);
    }

    private AttemptRows() {}

    /** Binds the rows from a parameter index on, and returns the next index. */
    public static int bind(PreparedStatement statement, int first, List<TaskAttempt> rows) throws SQLException {
        var columns = new AttemptColumns(statement, first, rows);
        columns.add("uuid", row -> row.key().organization().value());
        columns.add("uuid", row -> row.key().instance().value());
        columns.add("uuid", row -> row.key().id().value());
        columns.add("text", row -> row.key().task());
        columns.add("int4", row -> row.key().attempt());
        columns.add("text", row -> row.status().name());
        columns.add("timestamptz", row -> row.key().startedAt());
        columns.add("timestamptz", TaskAttempt::finishedAt);
        columns.add("int8", row -> row.usage().inputTokens());
        columns.add("int8", row -> row.usage().outputTokens());
        columns.add("int8", row -> row.usage().costMicros());
        columns.add("text", row -> StrictJson.write(row.content()));
        return columns.next;
    }

    private static final class AttemptColumns {
        private final PreparedStatement statement;
        private final List<TaskAttempt> rows;
        private int next;

        AttemptColumns(PreparedStatement statement, int first, List<TaskAttempt> rows) {
            this.statement = statement;
            this.next = first;
            this.rows = rows;
        }

        void add(String type, Function<TaskAttempt, @Nullable Object> column) throws SQLException {
            statement.setArray(next++, ColumnArray.column(statement.getConnection(), type, rows, column));
        }
    }
}
