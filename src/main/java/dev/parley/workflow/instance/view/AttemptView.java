package dev.parley.workflow.instance.view;

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
        description = "What was done in one attempt of an AI, App or Coder task. Texts are cut where they are long, and"
                + " say by how much; what looks like a credential is hidden.")
public record AttemptView(
        @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$")
        TaskAttemptId id,

        @Schema(description = "The task's id in the definition.")
        String task,

        @Schema(description = "From 1. A task that was lost with its node runs again under the same number.")
        int attempt,

        AttemptStatus status,

        @Schema(nullable = true, description = "null where it is not known, of an attempt that was lost.") @Nullable
        Instant startedAt,

        @Schema(nullable = true, description = "null while it runs.") @Nullable
        Instant finishedAt,

        TaskAttempt.@Nullable AttemptFailure error,

        @Schema(nullable = true, description = "The model that answered, by its own word; null where none was asked.")
        @Nullable
        String model,

        @Schema(
                description =
                        "What was said before the answer: instructions, history, inputs, answers that did not fit.")
        List<TaskAttempt.RecordedLine> messages,

        @Schema(nullable = true, description = "What the model said last.") @Nullable
        String answer,

        List<TaskAttempt.RecordedToolCall> toolCalls,

        @Schema(description = "How many messages and calls were not kept, since there were too many.")
        int leftOut,

        @Schema(nullable = true, description = "What the code of a Coder task wrote to its console.") @Nullable
        String console,

        long inputTokens,
        long outputTokens,

        @Schema(description = "Cost in millionths of the currency of the price settings")
        long costMicros) {

    static AttemptView of(TaskAttempt attempt, @Nullable String console) {
        TaskAttempt.RecordedContent content = attempt.content();
        return new AttemptView(
                attempt.key().id(),
                attempt.key().task(),
                attempt.key().attempt(),
                attempt.status(),
                attempt.key().startedAt(),
                attempt.finishedAt(),
                content.error(),
                content.model(),
                content.messages(),
                content.answer(),
                content.toolCalls(),
                content.leftOut(),
                console,
                attempt.usage().inputTokens(),
                attempt.usage().outputTokens(),
                attempt.usage().costMicros());
    }
}
