package dev.parley.llm;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A turn of a conversation.
 *
 * @param calls the calls that the assistant requests, or the call of a tool's result; empty for a user
 * @param files attached by the user; empty for others
 * @param extras members of an assistant's message that only its endpoint has
 */
public record ChatTurn(
        Speaker speaker,
        String text,
        List<ChatTool.ModelToolCall> calls,
        List<ChatFile> files,
        Map<String, @Nullable Object> extras) {
    public ChatTurn {
        calls = List.copyOf(calls);
        files = List.copyOf(files);
        extras = ChatTool.unmodifiable(extras);
    }

    public ChatTurn(Speaker speaker, String text) {
        this(speaker, text, List.of(), List.of(), Map.of());
    }

    public ChatTurn withFiles(List<ChatFile> sent) {
        return new ChatTurn(speaker, text, calls, sent, extras);
    }

    /** The author of a turn. */
    public enum Speaker {
        USER,
        ASSISTANT,
        TOOL
    }

    public static ChatTurn user(String text) {
        return new ChatTurn(Speaker.USER, text);
    }

    public static ChatTurn assistant(String text) {
        return new ChatTurn(Speaker.ASSISTANT, text);
    }

    /** The assistant's turn that a reply is. */
    public static ChatTurn assistant(ChatReply reply) {
        return new ChatTurn(Speaker.ASSISTANT, reply.text(), reply.toolCalls(), List.of(), reply.extras());
    }

    /** The result of a tool call. */
    public static ChatTurn tool(ChatTool.ModelToolCall call, String text) {
        return new ChatTurn(Speaker.TOOL, text, List.of(call), List.of(), Map.of());
    }
}
