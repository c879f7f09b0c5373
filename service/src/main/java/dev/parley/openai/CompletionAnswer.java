package dev.parley.openai;

import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatTool.ModelToolCall;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.attempt.core.ModelUsage;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a model or of a workflow.
 *
 * @param reply its text, tool calls and tokens; a workflow's has no tokens
 * @param failure a sentence; empty unless the status is FAILED
 * @param facts what a workflow adds to the metadata: its conversation, its instance and the instance's status
 */
record CompletionAnswer(
        ChatReply reply, AnswerStatus status, String failure, Instant completedAt, Map<String, String> facts) {
    /** The status of a response. */
    enum AnswerStatus {
        COMPLETED("completed"),
        /** The text reached its limit. */
        INCOMPLETE("incomplete"),
        IN_PROGRESS("in_progress"),
        FAILED("failed"),
        CANCELLED("cancelled");

        private final String text;

        AnswerStatus(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    static CompletionAnswer of(ChatReply reply) {
        AnswerStatus status = reply.finish() == ChatReply.ReplyFinish.LENGTH
                        && reply.toolCalls().isEmpty()
                ? AnswerStatus.INCOMPLETE
                : AnswerStatus.COMPLETED;
        return new CompletionAnswer(reply, status, "", Instant.now(), Map.of());
    }

    static CompletionAnswer of(
            String model,
            String text,
            ModelUsage usage,
            AnswerStatus status,
            Instant completedAt,
            Map<String, String> facts) {
        return new CompletionAnswer(
                new ChatReply(text, usage.inputTokens(), usage.outputTokens(), model, ChatReply.ReplyFinish.STOP),
                status,
                status == AnswerStatus.FAILED ? text : "",
                completedAt,
                facts);
    }

    String text() {
        return reply.text();
    }

    List<ModelToolCall> calls() {
        return reply.toolCalls();
    }

    /** The client's metadata with what a workflow adds. */
    Map<String, @Nullable Object> metadata(@Nullable Object given) {
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        if (given instanceof Map<?, ?> members) {
            members.forEach((name, value) -> metadata.put(String.valueOf(name), value));
        }
        metadata.putAll(facts);
        return metadata;
    }

    /** The problem of a failed answer. */
    ApiProblem problem() {
        return ApiProblem.of(ProblemKind.ANSWER_FAILED, failure);
    }
}
