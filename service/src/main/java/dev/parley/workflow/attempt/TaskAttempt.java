package dev.parley.workflow.attempt;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.id.OrganizationId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.attempt.core.ModelUsage;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a task, for diagnosis.
 *
 * @param finishedAt null while it runs
 * @param usage of this attempt alone
 * @param isStored whether it got a row of its own while it ran, in which its end is stored, too
 */
public record TaskAttempt(
        @Nested AttemptKey key,
        AttemptStatus status,
        @Nullable Instant finishedAt,
        @Nested ModelUsage usage,
        RecordedContent content,
        boolean isStored) {

    /**
     * The key of an attempt.
     *
     * @param item the index of the item, for a task that runs for each of them; null otherwise
     * @param attempt the number within the instance; a task that was lost with its node runs again with the same number
     * @param startedAt null if unknown
     */
    public record AttemptKey(
            OrganizationId organization,
            WorkflowInstanceId instance,
            TaskAttemptId id,
            String task,
            @Nullable Integer item,
            int attempt,
            @Nullable Instant startedAt) {}

    /**
     * The calls of the attempt. Texts are excerpts, which show how much is missing.
     *
     * @param model the alias of the model that replied last; null if none was called
     * @param reportedModel the name that it reports
     * @param cachedTokens those of the input tokens that the models read from their caches
     * @param reasoningTokens those of the output tokens that are not in the texts
     * @param answer the model's last text; null for none
     * @param leftOut the number of messages and calls omitted because of the limit
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record RecordedContent(
            @Nullable String model,
            @Nullable String reportedModel,
            long cachedTokens,
            long reasoningTokens,
            @Nullable AttemptFailure error,
            List<RecordedLine> messages,
            @Nullable String answer,
            List<RecordedToolCall> toolCalls,
            int leftOut) {
        static final RecordedContent NONE = new RecordedContent(null, null, 0, 0, null, List.of(), null, List.of(), 0);

        public RecordedContent {
            messages = messages == null ? List.of() : List.copyOf(messages); // Empty lists are not stored.
            toolCalls = toolCalls == null ? List.of() : List.copyOf(toolCalls);
        }
    }

    /** Why the attempt failed. */
    @Schema(name = "TaskAttemptError")
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record AttemptFailure(
            @Schema(examples = "Model error") String error, String detail) {}

    /** A message before the last answer. */
    @Schema(name = "TaskAttemptMessage")
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record RecordedLine(
            @Schema(enumeration = {"system", "user", "assistant"})
            String role,

            String content) {}

    /** A tool call. */
    @Schema(name = "TaskAttemptToolCall")
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record RecordedToolCall(
            @Schema(description = "Number of the model answer that requested the call, from 1; 0 for an App task.")
            int turn,

            @Schema(description = "The name of the tool as requested.")
            String tool,

            @Schema(description = "null if the tool does not exist.") @Nullable
            Integer toolId,

            @Schema(
                    description =
                            "The arguments that the tool got, or that were refused. JSON, as text, since it may be"
                                    + " cut; values under names such as password are hidden.",
                    examples = "{\"city\":\"Rome\"}")
            String arguments,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "Set if a person edited the arguments before approving the call; otherwise absent.")
            @Nullable
            ArgumentsEdit edited,

            @Schema(description = "The tool's result, or the error.")
            String result,

            boolean failed,
            long millis,

            @Schema(description = "Whether an earlier attempt made the call, so that it was not made again.")
            boolean replayed) {}

    /** Who edited the arguments of a call, and what the model had requested. */
    @Schema(name = "TaskAttemptArgumentsEdit")
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record ArgumentsEdit(
            @Schema(examples = "user:0192f0c17a3b7c4d8e5f60718293a4b5", description = "null if unknown.") @Nullable
            String by,

            @Schema(nullable = true, description = "null if unknown.") @Nullable
            Instant at,

            @Schema(description = "The arguments that the model requested, as text.", examples = "{\"city\":\"Paris\"}")
            String requestedArguments) {}

    /** For an execution that left no record. */
    public static TaskAttempt unknown(AttemptKey key) {
        return new TaskAttempt(key, AttemptStatus.RUNNING, null, ModelUsage.NONE, RecordedContent.NONE, false);
    }

    /** The same attempt with at least this usage. */
    public TaskAttempt using(ModelUsage atLeast) {
        return new TaskAttempt(key, status, finishedAt, usage.max(atLeast), content, isStored);
    }

    /** The same attempt, after its result was dropped. */
    public TaskAttempt dropped() {
        return ended(
                AttemptStatus.CANCELLED,
                content.error == null
                        ? new AttemptFailure(
                                "Stopped", "The task was stopped before its result came, which was dropped.")
                        : content.error,
                finishedAt);
    }

    /** The same attempt, after its node died. */
    public TaskAttempt lost(Instant at) {
        return ended(
                AttemptStatus.LOST,
                new AttemptFailure("Lost", "The node stopped before the attempt ended. The task was run again."),
                at);
    }

    private TaskAttempt ended(AttemptStatus endStatus, AttemptFailure error, @Nullable Instant at) {
        return new TaskAttempt(
                key,
                endStatus,
                at,
                usage,
                new RecordedContent(
                        content.model,
                        content.reportedModel,
                        content.cachedTokens,
                        content.reasoningTokens,
                        error,
                        content.messages,
                        content.answer,
                        content.toolCalls,
                        content.leftOut),
                isStored);
    }
}
