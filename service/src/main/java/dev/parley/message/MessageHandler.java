package dev.parley.message;

import dev.parley.conversation.ConversationUsecase;
import java.util.List;

/**
 * Port: processes users' messages, with one handler per usecase. A handler may block; it runs on a virtual thread, one
 * message of a conversation at a time and in order.
 */
public interface MessageHandler {
    /** The conversations whose messages it handles. */
    ConversationUsecase usecase();

    /**
     * Handles a message. May be called again for the same message if the node died before the result was stored.
     *
     * @param memory this handler's cache of the conversation
     * @throws InterruptedException if the node stops or was fenced
     */
    Handled handle(PendingMessage message, HandlerCache memory) throws InterruptedException;

    /** The result of handling a message. */
    sealed interface Handled {
        /** These replies are stored and the message becomes DELIVERED, in one commit. */
        record Answered(List<NewMessage> replies) implements Handled {}

        /** The notice is stored and the message becomes FAILED, in one commit. */
        record HandlingFailed(NewMessage notice) implements Handled {}

        /** The handler has stored everything, including the message's status. */
        record HandlingWritten() implements Handled {}

        /** The message must wait: it is offered again when the conversation is woken, or seconds later. */
        record NotYet() implements Handled {}
    }
}
