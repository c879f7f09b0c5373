package dev.parley.workflow.attempt;

import dev.parley.db.BatchInsert;
import dev.parley.http.StrictJson;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Parts of larger statements for rows of {@code workflow_task_attempt}: one array per column. */
public final class AttemptRows {
    private static final String COLUMNS = """
            organization_id, instance_id, id, task_id, item, attempt, status, started_at, finished_at, input_tokens,
            output_tokens, cost_micros, model_calls, tool_calls, content
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
                SELECT a.* FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::int4[], ?::int4[], ?::text[],
                    ?::timestamptz[], ?::timestamptz[], ?::int8[], ?::int8[], ?::int8[], ?::int4[], ?::int4[], ?::text[]) AS a (%s) %s
                ON CONFLICT (organization_id, instance_id, id) DO UPDATE SET
                    status = EXCLUDED.status, finished_at = EXCLUDED.finished_at,
                    input_tokens = EXCLUDED.input_tokens, output_tokens = EXCLUDED.output_tokens,
                    cost_micros = EXCLUDED.cost_micros, model_calls = EXCLUDED.model_calls,
                    tool_calls = EXCLUDED.tool_calls, content = EXCLUDED.content
                WHERE workflow_task_attempt.status = 'RUNNING'
                """.formatted(COLUMNS, COLUMNS, join);
    }

    private AttemptRows() {}

    /** Binds the rows from a parameter index on, and returns the next index. */
    public static int bind(PreparedStatement statement, int first, List<TaskAttempt> rows) throws SQLException {
        return new BatchInsert<>(statement, first, rows)
                .ids(row -> row.key().organization())
                .ids(row -> row.key().instance())
                .ids(row -> row.key().id())
                .texts(row -> row.key().task())
                .integers(row -> row.key().item())
                .integers(row -> row.key().attempt())
                .texts(row -> row.status().name())
                .times(row -> row.key().startedAt())
                .times(TaskAttempt::finishedAt)
                .longs(row -> row.usage().inputTokens())
                .longs(row -> row.usage().outputTokens())
                .longs(row -> row.usage().costMicros())
                .integers(row -> row.usage().modelCalls())
                .integers(row -> row.usage().toolCalls())
                .texts(row -> StrictJson.write(row.content()))
                .next();
    }
}
