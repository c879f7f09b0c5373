package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.db.BackgroundThrottle;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Publishes message.created for messages that wait longer than a moment. The event of other messages is written when
 * they are processed ({@link MessageEvents}), which costs less; but a message behind a slow reply or an open ticket
 * may wait for days.
 */
final class AnnouncementTimer {
    private static final Logger LOG = Logger.getLogger(AnnouncementTimer.class);
    private static final long ANNOUNCE_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final UnannouncedMessageStore store;
    private final BackgroundThrottle.Budget budget;
    private final ConversationRef conversation;
    private final NodeId owner;

    /** The first message whose event may be pending; null for none. Guarded by this object's lock. */
    private @Nullable MessageId from;

    private long since;

    /** Version of the lease when it was last read. */
    private int version;

    private boolean announcing;

    AnnouncementTimer(
            UnannouncedMessageStore store,
            BackgroundThrottle.Budget budget,
            ConversationRef conversation,
            NodeId owner) {
        this.store = store;
        this.budget = budget;
        this.conversation = conversation;
        this.owner = owner;
    }

    /** Called when messages arrive, the first of which has this id. */
    synchronized void onMessagesFrom(MessageId first) {
        if (from == null) {
            since = System.nanoTime();
        }
        if (from == null || first.compareTo(from) < 0) {
            from = first;
        }
    }

    /** Called with the conversation's lease, whose version increases with each message of another node. */
    synchronized void onLeaseRead(ProcessingStore.WaitingConversation row) {
        if (row.version() != version) {
            version = row.version();
            onMessagesFrom(row.from());
        }
    }

    /** Called after messages were processed; {@code all} says whether no other is known. */
    synchronized void onProcessed(boolean all) {
        if (all) {
            from = null;
        }
        since = System.nanoTime();
    }

    /** Called often; announces the messages when they are due. */
    void check() {
        due().ifPresent(first -> Thread.ofVirtual().name("message-announcement").start(() -> announce(first)));
    }

    private synchronized Optional<MessageId> due() {
        Optional<MessageId> first = Optional.ofNullable(from);
        if (first.isEmpty() || announcing || System.nanoTime() - since < ANNOUNCE_AFTER_NANOS || !budget.tryBegin()) {
            return Optional.empty();
        }
        from = null;
        announcing = true;
        return first;
    }

    private void announce(MessageId first) {
        try {
            boolean more = store.hasSubscribers(conversation);
            while (more) {
                int announced = store.announce(conversation, owner, first);
                budget.charge(announced);
                more = announced == UnannouncedMessageStore.MAX_BATCH_SIZE;
                if (more && budget.mustWait()) {
                    onMessagesFrom(first); // The rest is announced when inserts are fast again.
                    more = false;
                }
            }
        } catch (RuntimeException e) {
            LOG.debugf(
                    "Waiting messages of conversation %s are announced later: %s", conversation.id(), e.getMessage());
            onMessagesFrom(first);
        } finally {
            ended();
        }
    }

    private synchronized void ended() {
        announcing = false;
    }
}
