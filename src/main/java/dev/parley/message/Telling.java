package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.db.Precedence;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Tells of the messages of a lane that wait longer than a moment for their turn. Others are told of when they are
 * processed ({@link MessageEvents}), which is soon and costs less; but one that stands behind a slow answer or a
 * person's ticket may wait for days.
 */
final class Telling {
    private static final Logger LOG = Logger.getLogger(Telling.class);
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int AT_ONCE = 100;

    private final ProcessingStore store;
    private final Precedence.Share share;
    private final ConversationRef conversation;
    private final NodeId owner;

    /** Whether some may wait that nobody was told of, and since when; guarded by this object's lock. */
    private boolean waiting;

    private long since;
    private boolean underWay;

    Telling(ProcessingStore store, Precedence.Share share, ConversationRef conversation, NodeId owner) {
        this.store = store;
        this.share = share;
        this.conversation = conversation;
        this.owner = owner;
    }

    /** Hears that messages came, or that some which came are still there. */
    synchronized void came() {
        if (!waiting) {
            waiting = true;
            since = System.nanoTime();
        }
    }

    /** Hears that some were processed, and whether they were all that are known of. */
    synchronized void moved(boolean all) {
        waiting = !all;
        since = System.nanoTime();
    }

    /** Called often: begins to tell if it is time, of those from {@code from} on. */
    void check(Supplier<MessageId> from) {
        if (isTime()) {
            Thread.ofVirtual().name("lane-tell").start(() -> tell(from.get()));
        }
    }

    private synchronized boolean isTime() {
        if (!waiting || underWay || System.nanoTime() - since < PATIENCE_NANOS || !share.tryBegin()) {
            return false;
        }
        waiting = false;
        underWay = true;
        return true;
    }

    private void tell(MessageId from) {
        try {
            boolean more = store.isTold(conversation);
            while (more) {
                int told = store.tellWaiting(conversation, owner, from, AT_ONCE);
                share.charge(told);
                more = told == AT_ONCE;
                if (more && share.mustWait()) {
                    came(); // The rest has its time when storing is quick again.
                    more = false;
                }
            }
        } catch (RuntimeException e) {
            LOG.debugf("Of waiting messages of conversation %s is told later: %s", conversation.id(), e.getMessage());
            came();
        } finally {
            ended();
        }
    }

    private synchronized void ended() {
        underWay = false;
    }
}
