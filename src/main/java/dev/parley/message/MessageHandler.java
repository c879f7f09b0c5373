package dev.parley.message;

import dev.parley.conversation.ConversationUsecase;
import java.util.List;

/**
 * Does what a user's message asks for: a port, with one handler for each usecase. A handler may block; it runs on a
 * virtual thread, one message of a conversation at a time, in their order.
 */
public interface MessageHandler {
    /** The conversations whose messages it handles. */
    ConversationUsecase usecase();

    /**
     * Handles a message. It may be called again for the same message when the node died before the result was written.
     *
     * @param memory what this handler kept of the conversation's message before
     * @throws InterruptedException when the node stops or was fenced
     */
    Handled handle(PendingMessage message, HandlerCache memory) throws InterruptedException;

    /** What became of a message. */
    sealed interface Handled {
        /** These messages answer it: they are stored and the message is DELIVERED, in one commit. */
        record Answered(List<NewMessage> replies) implements Handled {}

        /** It could not be answered: the notice is stored and the message is FAILED, in one commit. */
        record HandlingFailed(NewMessage notice) implements Handled {}

        /** The handler has written everything, the message's status included. */
        record HandlingWritten() implements Handled {}

        /** It is not its turn yet: it is offered again when the conversation is woken, or a second later. */
        record NotYet() implements Handled {}
    }
}
