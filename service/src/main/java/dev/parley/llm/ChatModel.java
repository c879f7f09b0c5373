package dev.parley.llm;

/**
 * A language model that replies to a conversation with text, or with JSON that matches a schema. Implementations are
 * stateless and thread-safe.
 */
public interface ChatModel {
    /**
     * Returns the reply within the request's deadline.
     *
     * @param listener gets the text as it arrives; a model that cannot stream passes it in one piece
     *
     * @throws ChatModelException if there is no usable reply; it states whether a retry may succeed
     * @throws InterruptedException promptly after the calling thread is interrupted
     */
    ChatReply reply(ChatRequest request, ReplyListener listener) throws ChatModelException, InterruptedException;

    default ChatReply reply(ChatRequest request) throws ChatModelException, InterruptedException {
        return reply(request, ReplyListener.NONE);
    }

    /** The name under which replies and costs are recorded. */
    String name();
}
