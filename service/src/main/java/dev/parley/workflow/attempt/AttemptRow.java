package dev.parley.workflow.attempt;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.attempt.core.ModelUsage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt as the database stores it.
 *
 * @param attempt its task, times, status and usage as JSON, which {@link AttemptStore} reads in SQL
 * @param content its {@link TaskAttempt.RecordedContent} as JSON, apart because it may be large
 */
public record AttemptRow(
        OrganizationId organization, WorkflowInstanceId instance, TaskAttemptId id, String attempt, String content) {

    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    private record AttemptSummary(
            String task,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Integer item,

            int attempt,
            AttemptStatus status,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt,
            long inputTokens,
            long outputTokens,
            long costMicros,
            int modelCalls,
            int toolCalls) {}

    public static AttemptRow of(TaskAttempt attempt) {
        TaskAttempt.AttemptKey key = attempt.key();
        ModelUsage usage = attempt.usage();
        var summary = new AttemptSummary(
                key.task(),
                key.item(),
                key.attempt(),
                attempt.status(),
                key.startedAt(),
                attempt.finishedAt(),
                usage.inputTokens(),
                usage.outputTokens(),
                usage.costMicros(),
                usage.modelCalls(),
                usage.toolCalls());
        return new AttemptRow(
                key.organization(),
                key.instance(),
                key.id(),
                StrictJson.write(summary),
                StrictJson.write(attempt.content()));
    }
}
