package dev.parley.llm;

/**
 * A language model that answers a conversation, in text or in JSON of a given schema. Implementations hold no
 * conversation, and are safe for any number of threads.
 */
public interface ChatModel {
    /**
     * Answers, or fails within the request's deadline.
     *
     * @throws ChatModelException when there is no answer; it says whether to try again later
     * @throws InterruptedException promptly, when the calling thread is interrupted
     */
    ChatReply reply(ChatRequest request) throws ChatModelException, InterruptedException;

    /** The name under which replies and costs are recorded. */
    String name();
}
