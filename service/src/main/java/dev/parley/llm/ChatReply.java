package dev.parley.llm;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reply of the model.
 *
 * @param text not blank, unless there are tool calls or the request has a schema; with a schema the caller checks that
 *     it is a JSON object
 * @param promptTokens input tokens of all attempts, as reported by the model; 0 if it reports none
 * @param completionTokens output tokens of all attempts, likewise
 * @param model the name that the model reports
 * @param toolCalls calls that the model requests before it continues; empty for a final reply
 * @param extras members of the message that only this endpoint has, sent back with it in the task's next request
 */
public record ChatReply(
        String text,
        long promptTokens,
        long completionTokens,
        String model,
        ReplyFinish finish,
        List<ChatTool.ModelToolCall> toolCalls,
        Map<String, @Nullable Object> extras) {
    public ChatReply {
        toolCalls = List.copyOf(toolCalls);
        extras = ChatTool.unmodifiable(extras);
    }

    public ChatReply(String text, long promptTokens, long completionTokens, String model, ReplyFinish finish) {
        this(text, promptTokens, completionTokens, model, finish, List.of(), Map.of());
    }

    /** The same reply, including the tokens of an earlier attempt. */
    ChatReply after(ChatReply earlier) {
        return new ChatReply(
                text,
                promptTokens + earlier.promptTokens,
                completionTokens + earlier.completionTokens,
                model,
                finish,
                toolCalls,
                extras);
    }

    /** The reason why the reply ends. */
    public enum ReplyFinish {
        /** The reply is complete. */
        STOP,
        /** The reply reached the length limit of the model and is truncated. */
        LENGTH
    }
}
