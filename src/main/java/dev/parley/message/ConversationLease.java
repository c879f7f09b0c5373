package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.message.ProcessingStore.WaitingConversation;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a worker knows of its conversation's work row, which other nodes write to as well: they may store messages under
 * ids that are older than what the worker has read, since each node has its own clock.
 */
final class ConversationLease {
    /** Longer than a lease: a node that has not stored its messages by then is fenced. */
    private static final long LOCK_WAIT_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long LOCK_RETRY_MILLIS = 2;

    private final ProcessingStore store;
    private final ConversationRef conversation;
    private final NodeId owner;

    /** Set by whoever stores a message, who must not wait for what is read here meanwhile. */
    private volatile boolean unread = true;

    private volatile int version;

    ConversationLease(ProcessingStore store, ConversationRef conversation, NodeId owner) {
        this.store = store;
        this.conversation = conversation;
        this.owner = owner;
    }

    /**
     * Reads messages that wait, when no other node is storing some of this conversation, which may be listed before
     * them.
     */
    ProcessingStore.PendingMessages read(MessageId from, int limit) throws InterruptedException {
        long end = System.nanoTime() + LOCK_WAIT_NANOS;
        ProcessingStore.PendingMessages waiting = store.pendingInOrder(conversation, owner, from, limit);
        while (waiting.isStoredElsewhere() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(LOCK_RETRY_MILLIS);
            waiting = store.pendingInOrder(conversation, owner, from, limit);
        }
        return waiting;
    }

    /** Where a new worker must begin, so that what comes does not overtake what waited before; empty afterwards. */
    Optional<MessageId> first() {
        if (!unread) {
            return Optional.empty();
        }
        unread = false; // Before it is read: who loses the row meanwhile is heard.
        try {
            Optional<WaitingConversation> work = store.work(owner, conversation);
            version = work.map(WaitingConversation::version).orElse(0);
            return work.map(WaitingConversation::from);
        } catch (RuntimeException e) {
            unread = true;
            throw e;
        }
    }

    /**
     * Where the worker must go back to when the row has another version than before: a client may have had an older
     * message acknowledged before it sent what the worker has just read. What comes after that version is seen at the
     * next look.
     */
    Optional<MessageId> changed(int now) {
        if (now == version) {
            return Optional.empty();
        }
        Optional<MessageId> from = store.work(owner, conversation).map(WaitingConversation::from);
        version = now;
        return from;
    }

    /** Hears that the row is gone, or another node's: the next one's versions say nothing about this one's. */
    void lost() {
        unread = true;
    }

    /** Moves the row's lower bound up to the first message that waits, so that a take-over need not read what is done. */
    void advance() {
        Optional<WaitingConversation> work = store.work(owner, conversation);
        if (work.isPresent()) {
            // Read after the version: what other nodes added up to that version is seen here.
            waiting(work.get())
                    .ifPresent(next ->
                            store.advance(owner, conversation, next, work.get().version()));
        }
    }

    /**
     * What {@link #release} left.
     *
     * @param gone whether this node has no row any more
     * @param waiting the message for which the row is kept
     */
    record ReleaseResult(boolean gone, Optional<MessageId> waiting) {
        static final ReleaseResult UNKNOWN = new ReleaseResult(false, Optional.empty());
    }

    /** Gives the row up, unless messages wait or another node added one meanwhile. */
    ReleaseResult release() {
        Optional<WaitingConversation> work = store.work(owner, conversation);
        Optional<MessageId> waiting = work.flatMap(this::waiting);
        boolean gone = waiting.isEmpty()
                && (work.isEmpty()
                        || store.release(owner, conversation, work.get().version()));
        if (gone) {
            lost();
        }
        return new ReleaseResult(gone, waiting);
    }

    private Optional<MessageId> waiting(WaitingConversation work) {
        return store.pending(conversation, owner, work.from(), 1).messages().stream()
                .map(PendingMessage::id)
                .findFirst();
    }
}
