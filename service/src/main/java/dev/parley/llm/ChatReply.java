package dev.parley.llm;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reply of the model. It is stored in journals; those of earlier releases lack the annotated members.
 *
 * @param text not blank, unless there are tool calls or the request has a schema; with a schema the caller checks that
 *     it is a JSON object
 * @param promptTokens input tokens of all attempts, as reported by the model; 0 if it reports none
 * @param cachedTokens those of the input tokens that the model read from its cache, which some price lower
 * @param completionTokens output tokens of all attempts, likewise
 * @param reasoningTokens those of the output tokens that are not in the text
 * @param model the name that the model reports
 * @param toolCalls calls that the model requests before it continues; empty for a final reply
 * @param extras members of the message that only this endpoint has, sent back with it in the task's next request
 * @param costMicros of all attempts, in millionths of the currency; 0 before it is priced
 * @param alias the organization's name for the model; null before it is priced
 */
public record ChatReply(
        String text,
        long promptTokens,
        @JsonSetter(nulls = Nulls.AS_EMPTY) long cachedTokens,
        long completionTokens,
        @JsonSetter(nulls = Nulls.AS_EMPTY) long reasoningTokens,
        String model,
        ReplyFinish finish,
        List<ChatTool.ModelToolCall> toolCalls,
        Map<String, @Nullable Object> extras,
        @JsonSetter(nulls = Nulls.AS_EMPTY) long costMicros,
        @Nullable String alias) {
    public ChatReply {
        toolCalls = List.copyOf(toolCalls);
        extras = ChatTool.unmodifiable(extras);
    }

    public ChatReply(String text, long promptTokens, long completionTokens, String model, ReplyFinish finish) {
        this(text, promptTokens, 0, completionTokens, 0, model, finish, List.of(), Map.of(), 0);
    }

    /** A reply before it is priced. */
    public ChatReply(
            String text,
            long promptTokens,
            long cachedTokens,
            long completionTokens,
            long reasoningTokens,
            String model,
            ReplyFinish finish,
            List<ChatTool.ModelToolCall> toolCalls,
            Map<String, @Nullable Object> extras,
            long costMicros) {
        this(
                text,
                promptTokens,
                cachedTokens,
                completionTokens,
                reasoningTokens,
                model,
                finish,
                toolCalls,
                extras,
                costMicros,
                null);
    }

    /** The same reply, including the tokens of an earlier attempt. */
    public ChatReply after(ChatReply earlier) {
        return new ChatReply(
                text,
                promptTokens + earlier.promptTokens,
                cachedTokens + earlier.cachedTokens,
                completionTokens + earlier.completionTokens,
                reasoningTokens + earlier.reasoningTokens,
                model,
                finish,
                toolCalls,
                extras,
                costMicros + earlier.costMicros,
                alias);
    }

    /** The same reply with the model's alias and the price. */
    public ChatReply of(String modelAlias, long micros) {
        return new ChatReply(
                text,
                promptTokens,
                cachedTokens,
                completionTokens,
                reasoningTokens,
                model,
                finish,
                toolCalls,
                extras,
                micros,
                modelAlias);
    }

    /** The reason why the reply ends. */
    public enum ReplyFinish {
        /** The reply is complete. */
        STOP,
        /** The reply reached the length limit of the model and is truncated. */
        LENGTH
    }
}
