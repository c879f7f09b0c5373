package dev.parley.workflow.instance.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.id.TaskAttemptId;
import dev.parley.workflow.attempt.AttemptStatus;
import dev.parley.workflow.attempt.TaskAttempt;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** An attempt of a task in the API. */
@Schema(
        name = "TaskAttempt",
        description = "The record of one attempt of an AI, App or Coder task. Long texts are truncated with a "
                + "mark that shows how much is missing; credentials are redacted.")
public record AttemptView(
        @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$")
        TaskAttemptId id,

        @Schema(description = "The task's id in the definition.")
        String task,

        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Schema(description = "The index of the item, from 0, for a task with for_each.")
        @Nullable
        Integer item,

        @Schema(description = "Counts from 1. A task that was lost with its node runs again with the same number.")
        int attempt,

        AttemptStatus status,

        @Schema(nullable = true, description = "null if unknown, for an attempt that was lost.") @Nullable
        Instant startedAt,

        @Schema(nullable = true, description = "null while the run is in progress.") @Nullable
        Instant finishedAt,

        TaskAttempt.@Nullable AttemptFailure error,

        @Schema(description = "The alias of the model that answered last; null if none was called.") @Nullable
        String model,

        @Schema(description = "The name that this model reports.") @Nullable
        String reportedModel,

        @Schema(description = "The messages before the answer: instructions, history, inputs, invalid answers.")
        List<TaskAttempt.RecordedLine> messages,

        @Schema(description = "The last text of the model.") @Nullable
        String answer,

        List<TaskAttempt.RecordedToolCall> toolCalls,

        @Schema(description = "Number of messages and calls omitted because of the limit.")
        int leftOut,

        @Schema(description = "The console output of a Coder task's code.") @Nullable
        String console,

        long inputTokens,

        @Schema(description = "Those of the input tokens that the models read from their caches.")
        long cachedTokens,

        long outputTokens,

        @Schema(description = "Those of the output tokens that the models reasoned with.")
        long reasoningTokens,

        @Schema(description = "Cost in millionths of the currency of the price settings")
        long costMicros) {

    static AttemptView of(TaskAttempt attempt, @Nullable String console) {
        TaskAttempt.RecordedContent content = attempt.content();
        return new AttemptView(
                attempt.key().id(),
                attempt.key().task(),
                attempt.key().item(),
                attempt.key().attempt(),
                attempt.status(),
                attempt.key().startedAt(),
                attempt.finishedAt(),
                content.error(),
                content.model(),
                content.reportedModel(),
                content.messages(),
                content.answer(),
                content.toolCalls(),
                content.leftOut(),
                console,
                attempt.usage().inputTokens(),
                content.cachedTokens(),
                attempt.usage().outputTokens(),
                content.reasoningTokens(),
                attempt.usage().costMicros());
    }
}
