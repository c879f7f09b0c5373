package dev.parley.workflow.journal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.parley.llm.ChatReply;
import dev.parley.workflow.attempt.core.EditedArguments;
import dev.parley.workflow.attempt.core.ModelUsage;
import org.jspecify.annotations.Nullable;

/** A call of a model or a tool, with its result. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = JournaledCall.ModelReply.class, name = "model"),
    @JsonSubTypes.Type(value = JournaledCall.ToolResult.class, name = "tool")
})
public sealed interface JournaledCall {
    /** What the call has used. */
    ModelUsage usage();

    /**
     * A model's reply.
     *
     * @param run the run of the task in which it was made
     * @param start set on the first call of a conversation, null on others
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    record ModelReply(int run, @Nullable ConversationStart start, ChatReply reply, long costMicros)
            implements JournaledCall {
        @Override
        public ModelUsage usage() {
            return ModelUsage.ofReply(reply.promptTokens(), reply.completionTokens(), costMicros);
        }
    }

    /**
     * A tool's result, as the model reads it.
     *
     * @param callId the id that the model gave the call
     * @param failed whether the text is an error
     * @param edited set if a person edited the arguments of the call
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    record ToolResult(
            String callId,
            String text,
            boolean failed,
            long millis,
            @Nullable EditedArguments edited) implements JournaledCall {
        @Override
        public ModelUsage usage() {
            return ModelUsage.ofToolCall();
        }
    }
}
