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
 * Tells of the messages of a worker that wait longer than a moment for their turn. Others are told of when they are
 * processed ({@link MessageEvents}), which is soon and costs less; but one that stands behind a slow answer or a
 * person's ticket may wait for days.
 */
final class AnnouncementTimer {
    private static final Logger LOG = Logger.getLogger(AnnouncementTimer.class);
    private static final long ANNOUNCE_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final UnannouncedMessageStore store;
    private final BackgroundThrottle.Budget budget;
    private final ConversationRef conversation;
    private final NodeId owner;

    /** From which message on some may wait that nobody was told of, null for none; guarded by this object's lock. */
    private @Nullable MessageId from;

    private long since;

    /** Of the work row when it was last looked at. */
    private int version;

    private boolean announcing;

    AnnouncementTimer(
            UnannouncedMessageStore store,
            BackgroundThrottle.Budget share,
            ConversationRef conversation,
            NodeId owner) {
        this.store = store;
        this.budget = share;
        this.conversation = conversation;
        this.owner = owner;
    }

    /** Hears that messages came, from this one on. */
    synchronized void onMessagesFrom(MessageId first) {
        if (from == null) {
            since = System.nanoTime();
        }
        if (from == null || first.compareTo(from) < 0) {
            from = first;
        }
    }

    /** Sees the conversation's work row, whose version counts up with what other nodes store. */
    synchronized void onLeaseRead(ProcessingStore.WaitingConversation row) {
        if (row.version() != version) {
            version = row.version();
            onMessagesFrom(row.from());
        }
    }

    /** Hears that some were processed, and whether they were all that are known of. */
    synchronized void onProcessed(boolean all) {
        if (all) {
            from = null;
        }
        since = System.nanoTime();
    }

    /** Called often: begins to tell if it is time. */
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
                int told = store.announce(conversation, owner, first);
                budget.charge(told);
                more = told == UnannouncedMessageStore.MAX_BATCH_SIZE;
                if (more && budget.mustWait()) {
                    onMessagesFrom(first); // The rest has its time when storing is quick again.
                    more = false;
                }
            }
        } catch (RuntimeException e) {
            LOG.debugf("Of waiting messages of conversation %s is told later: %s", conversation.id(), e.getMessage());
            onMessagesFrom(first);
        } finally {
            ended();
        }
    }

    private synchronized void ended() {
        announcing = false;
    }
}
