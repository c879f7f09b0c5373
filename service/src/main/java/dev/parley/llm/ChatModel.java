package dev.parley.llm;

/**
 * A language model that replies to a conversation with text, or with JSON that matches a schema. Implementations are
 * stateless and thread-safe.
 */
public interface ChatModel {
    /**
     * Returns the reply within the request's deadline.
     *
     * @throws ChatModelException if there is no usable reply; it states whether a retry may succeed
     * @throws InterruptedException promptly after the calling thread is interrupted
     */
    ChatReply reply(ChatRequest request) throws ChatModelException, InterruptedException;

    /** The name under which replies and costs are recorded. */
    String name();
}
