package dev.parley.llm;

/** One thing that was said in a conversation. */
public record ChatTurn(Speaker speaker, String text) {
    /** Who said it. */
    public enum Speaker {
        USER,
        ASSISTANT
    }

    public static ChatTurn user(String text) {
        return new ChatTurn(Speaker.USER, text);
    }

    public static ChatTurn assistant(String text) {
        return new ChatTurn(Speaker.ASSISTANT, text);
    }
}
