package dev.parley.workflow.attempt;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.db.BatchInsert;
import dev.parley.http.StrictJson;
import dev.parley.workflow.attempt.core.ModelUsage;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The columns of attempts, as parts of larger statements: one array per column. */
public final class AttemptRows {
    /** What the column {@code attempt} has besides the content, which may be large; {@link AttemptStore} reads it. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record AttemptSummary(
            String task,
            @Nullable Integer item,
            int attempt,
            AttemptStatus status,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt,
            @JsonUnwrapped ModelUsage usage) {}

    private AttemptRows() {}

    /**
     * Inserts attempts into {@code workflow_task_attempt}; {@link #bind} binds its parameters. The tables after
     * {@code FROM} may join others, such as a fence. Replaces only a row of a RUNNING attempt.
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
    public static int bind(PreparedStatement statement, int first, List<TaskAttempt> rows) throws SQLException {
        var batch = new BatchInsert<>(statement, first, rows)
                .ids(row -> row.key().organization())
                .ids(row -> row.key().instance());
        return bindColumns(batch, row -> row).next();
    }

    /** Binds the columns of the attempts that rows may have: id, {@code attempt} and content. */
    public static <T> BatchInsert<T> bindColumns(BatchInsert<T> rows, Function<T, @Nullable TaskAttempt> attempt)
            throws SQLException {
        return rows.ids(row -> {
                    TaskAttempt found = attempt.apply(row);
                    return found == null ? null : found.key().id();
                })
                .texts(row -> {
                    TaskAttempt found = attempt.apply(row);
                    return found == null ? null : StrictJson.write(summary(found));
                })
                .texts(row -> {
                    TaskAttempt found = attempt.apply(row);
                    return found == null ? null : StrictJson.write(found.content());
                });
    }

    private static AttemptSummary summary(TaskAttempt attempt) {
        TaskAttempt.AttemptKey key = attempt.key();
        return new AttemptSummary(
                key.task(),
                key.item(),
                key.attempt(),
                attempt.status(),
                key.startedAt(),
                attempt.finishedAt(),
                attempt.usage());
    }
}
