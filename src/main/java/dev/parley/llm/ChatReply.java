package dev.parley.llm;

import java.util.List;

/**
 * A reply of the model.
 *
 * @param text not blank, unless there are tool calls or the request has a schema; with a schema the caller checks that
 *     it is a JSON object
 * @param promptTokens input tokens of all attempts, as reported by the model; 0 if it reports none
 * @param completionTokens output tokens of all attempts, likewise
 * @param model the name that the model reports
 * @param toolCalls calls that the model requests before it continues; empty for a final reply
 */
public record ChatReply(
        String text,
        long promptTokens,
        long completionTokens,
        String model,
        ReplyFinish finish,
        List<ChatTool.ModelToolCall> toolCalls) {
    public ChatReply {
        toolCalls = List.copyOf(toolCalls);
    }

    public ChatReply(String text, long promptTokens, long completionTokens, String model, ReplyFinish finish) {
        this(text, promptTokens, completionTokens, model, finish, List.of());
    }

    /** The same reply, including the tokens of an earlier attempt. */
    ChatReply after(ChatReply earlier) {
        return new ChatReply(
                text,
                promptTokens + earlier.promptTokens,
                completionTokens + earlier.completionTokens,
                model,
                finish,
                toolCalls);
    }

    /** The reason why the reply ends. */
    public enum ReplyFinish {
        /** The reply is complete. */
        STOP,
        /** The reply reached the length limit of the model and is truncated. */
        LENGTH
    }
}
