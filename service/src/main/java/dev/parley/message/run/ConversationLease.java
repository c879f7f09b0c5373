package dev.parley.message.run;

import dev.parley.conversation.ConversationRef;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.message.PendingMessage;
import dev.parley.message.run.ProcessingStore.WaitingConversation;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A worker's view of its conversation's row in {@code conversation_lease}. Other nodes write to it too, when they store
 * messages.
 */
final class ConversationLease {
    private final ProcessingStore store;
    private final ConversationRef conversation;
    private final NodeId owner;

    /** Volatile, because runs and the release of the lease are on different threads. */
    private volatile boolean unread = true;

    private volatile int version;

    /** The newest message that was published while it waited; null for none. */
    private volatile @Nullable MessageId publishedTo;

    ConversationLease(ProcessingStore store, ConversationRef conversation, NodeId owner) {
        this.store = store;
        this.conversation = conversation;
        this.owner = owner;
    }

    ConversationRef conversation() {
        return conversation;
    }

    /** Reads waiting messages. */
    ProcessingStore.PendingMessages read(MessageId from, int limit) {
        return store.pending(conversation, owner, from, limit);
    }

    /** The first message of a new worker, so that new messages do not overtake waiting ones; empty afterwards. */
    Optional<MessageId> first() {
        if (!unread) {
            return Optional.empty();
        }
        unread = false; // Reset before the read, so that a concurrent loss of the lease is noticed.
        try {
            Optional<WaitingConversation> lease = store.lease(owner, conversation);
            version = lease.map(WaitingConversation::version).orElse(0);
            publishedTo = lease.map(WaitingConversation::publishedTo).orElse(null);
            return lease.map(WaitingConversation::from);
        } catch (RuntimeException e) {
            unread = true;
            throw e;
        }
    }

    /**
     * Where the worker must go back to if the version changed: another node may have acknowledged an older message
     * before the client sent the newer ones. Later changes are seen at the next read.
     */
    Optional<MessageId> changed(int now) {
        if (now == version) {
            return Optional.empty();
        }
        Optional<MessageId> from = store.lease(owner, conversation).map(WaitingConversation::from);
        version = now;
        return from;
    }

    /** Whether message.created of a waiting message has been written. */
    boolean isPublished(PendingMessage message) {
        MessageId to = publishedTo;
        return message.isPublished() || (to != null && message.id().compareTo(to) <= 0);
    }

    /**
     * Writes message.created of waiting messages that are not published yet; false if another node has the lease. They
     * must follow those that were published before.
     */
    boolean publish(List<PendingMessage> waiting) {
        List<PendingMessage> unpublished =
                waiting.stream().filter(message -> !isPublished(message)).toList();
        if (unpublished.isEmpty()) {
            return true;
        }
        boolean published = store.publishWaiting(unpublished);
        if (published) {
            publishedTo = unpublished.getLast().id();
        }
        return published;
    }

    /** Called when the lease is released or lost; versions of the next lease are not comparable. */
    void lost() {
        unread = true;
    }

    /** Moves the lower bound to the first waiting message, so that a takeover does not read finished messages. */
    void advance() {
        Optional<WaitingConversation> lease = store.lease(owner, conversation);
        if (lease.isPresent()) {
            // Read after the version, so it includes the messages of other nodes up to that version.
            firstWaiting(lease.get())
                    .ifPresent(next ->
                            store.advance(owner, conversation, next, lease.get().version()));
        }
    }

    /**
     * Result of {@link #release}.
     *
     * @param released whether this node no longer holds the lease
     * @param next the message for which the lease is kept
     */
    record ReleaseResult(boolean released, Optional<MessageId> next) {
        static final ReleaseResult UNKNOWN = new ReleaseResult(false, Optional.empty());
    }

    /** Releases the lease unless messages wait or another node added one. */
    ReleaseResult release() {
        Optional<WaitingConversation> lease = store.lease(owner, conversation);
        Optional<MessageId> next = lease.flatMap(this::firstWaiting);
        boolean released = next.isEmpty()
                && (lease.isEmpty()
                        || store.release(owner, conversation, lease.get().version()));
        if (released) {
            lost();
        }
        return new ReleaseResult(released, next);
    }

    private Optional<MessageId> firstWaiting(WaitingConversation lease) {
        return store.pending(conversation, owner, lease.from(), 1).messages().stream()
                .map(PendingMessage::id)
                .findFirst();
    }
}
