package dev.parley.llm;

import java.util.List;

/**
 * One thing that was said in a conversation.
 *
 * @param calls that the assistant asks for; empty for others
 * @param callId which call a tool answers; empty for others
 * @param files that the user sent with it; empty for others
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

    /** Who said it. */
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

    /** What a tool answered to a call. */
    public static ChatTurn tool(ChatTool.ModelToolCall call, String text) {
        return new ChatTurn(Speaker.TOOL, text, List.of(call), call.id());
    }
}
