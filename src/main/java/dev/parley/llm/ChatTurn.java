package dev.parley.llm;

import java.util.List;

/**
 * A turn of a conversation.
 *
 * @param calls the calls that the assistant requests, or the call of a tool's result; empty for a user
 * @param callId the call of a tool's result; empty for others
 * @param files attached by the user; empty for others
 */
public record ChatTurn(
        Speaker speaker, String text, List<ChatTool.ModelToolCall> calls, String callId, List<ChatFile> files) {
    public ChatTurn {
        calls = List.copyOf(calls);
        files = List.copyOf(files);
    }

    public ChatTurn(Speaker speaker, String text) {
        this(speaker, text, List.of(), "");
    }

    public ChatTurn(Speaker speaker, String text, List<ChatTool.ModelToolCall> calls, String callId) {
        this(speaker, text, calls, callId, List.of());
    }

    public ChatTurn withFiles(List<ChatFile> sent) {
        return new ChatTurn(speaker, text, calls, callId, sent);
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

    /** The result of a tool call. */
    public static ChatTurn tool(ChatTool.ModelToolCall call, String text) {
        return new ChatTurn(Speaker.TOOL, text, List.of(call), call.id());
    }
}
