package dev.parley.llm;

import java.util.List;

/**
 * The model's answer.
 *
 * @param text not blank, unless tools are called or a schema was given; with a schema it should be a JSON object, which
 *     the caller checks
 * @param promptTokens tokens read, as the model counts them, over all tries; 0 when it does not tell
 * @param completionTokens tokens written, likewise
 * @param model the model that answered, by its own word
 * @param toolCalls tools to call before it goes on; empty for an answer
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

    /** The same answer, with what earlier tries used. */
    ChatReply after(ChatReply refused) {
        return new ChatReply(
                text,
                promptTokens + refused.promptTokens,
                completionTokens + refused.completionTokens,
                model,
                finish,
                toolCalls);
    }

    /** Why the answer ends. */
    public enum ReplyFinish {
        /** The model was done. */
        STOP,
        /** The answer reached the model's length limit and ends in the middle. */
        LENGTH
    }
}
