package dev.parley.llm;

/**
 * Receives the text of a reply while the model writes it: in order, one call at a time and on any thread, never after
 * the model has returned. Reasoning is not text. The pieces since the last reset are the reply's text once it is there.
 */
@FunctionalInterface
public interface ReplyListener {
    ReplyListener NONE = text -> {};

    /** Called with the next piece of the text; it must return promptly. */
    void onText(String text);

    /** Called when the text so far is void, because the attempt failed and another one begins. */
    default void onReset() {}
}
