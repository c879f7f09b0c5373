package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Small messages that came to a lane which had read all before them, so that they need not be read back. Now and then
 * the lane reads all the same, since other nodes may have added something. The lane's lock guards it.
 */
final class LaneInbox {
    private static final int MESSAGES = 8;
    private static final int CHARACTERS = 2_000;

    /** Batches after which the lane reads, for what other nodes added. */
    private static final int READ_EVERY = 32;

    private final Deque<PendingMessage> fresh = new ArrayDeque<>();
    private boolean caughtUp;
    private int batches;

    /** Keeps the message if it is next after all that was read or kept; false when it has to be read. */
    boolean add(ConversationRef conversation, NodeId owner, NewMessage message, MessageId cursor) {
        MessageId last = fresh.isEmpty() ? cursor : fresh.getLast().id();
        if (!caughtUp
                || fresh.size() == MESSAGES
                || message.weight() > CHARACTERS
                || message.file() != null
                || message.id().compareTo(last) <= 0) {
            return false;
        }
        return fresh.add(
                new PendingMessage(conversation, message.id(), owner, message.contentType(), message.content(), null));
    }

    /** What is kept, oldest first; it is the lane's from now on. */
    List<PendingMessage> take() {
        List<PendingMessage> taken = List.copyOf(fresh);
        fresh.clear();
        if (!taken.isEmpty()) {
            batches++;
        }
        return taken;
    }

    /** Drops what is kept, so that it is read; answers where that begins. */
    Optional<MessageId> readAgain() {
        Optional<MessageId> first = Optional.ofNullable(fresh.peekFirst()).map(PendingMessage::id);
        fresh.clear();
        caughtUp = false;
        batches = 0;
        return first;
    }

    boolean isToReadAgain() {
        return batches >= READ_EVERY && !fresh.isEmpty();
    }

    /** The lane has read all that waits. */
    void caughtUp() {
        caughtUp = true;
    }

    boolean isCaughtUp() {
        return caughtUp;
    }

    boolean isEmpty() {
        return fresh.isEmpty();
    }
}
