package dev.parley.message.run;

import dev.parley.http.IdempotencyKeys;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.message.NewMessage;
import dev.parley.message.PendingMessage;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where a worker reads its conversation's messages, and which messages this node is storing there. Requests that store
 * messages and the worker share it, so every method is atomic and none blocks.
 */
public final class ConversationInbox {
    /** Minimum interval between reads of a busy conversation; a read per message costs several times as much. */
    private static final long READ_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Greater than all ids. */
    static final MessageId NEWEST = new MessageId(new UUID(-1L, -1L));

    private final NodeId owner;
    private final InFlightMessages inFlight = new InFlightMessages();
    private boolean held;
    private boolean heldElsewhere;

    /** The message from which on the worker reads. */
    private MessageId cursor = NEWEST;

    /** The first message stored since the last read; null for none. */
    private @Nullable MessageId stored;

    /** Whether the message at the cursor waits for an in-flight insert that precedes it. */
    private boolean heldBack;

    private long nextRead = System.nanoTime();

    ConversationInbox(NodeId owner) {
        this.owner = owner;
    }

    /** Registers a message that is about to be stored. */
    public synchronized MessageSubmission register(NewMessage message, Optional<IdempotencyKeys.Claim> claim) {
        Optional<NodeId> holder = held ? Optional.of(owner) : Optional.empty();
        var submission = new MessageSubmission(message, holder, heldElsewhere, claim);
        inFlight.add(submission);
        return submission;
    }

    /** The message was stored; {@code ownedHere} says whether this node processes it. True if the worker must run. */
    public synchronized boolean onStored(MessageSubmission submission, boolean ownedHere) {
        inFlight.remove(submission);
        held = ownedHere;
        heldElsewhere = !ownedHere;
        if (ownedHere) {
            rewindTo(submission.message().id());
        }
        return ownedHere || heldBack;
    }

    /**
     * Called when the insert failed or its outcome is unknown: the database may have committed it before the connection
     * was lost, so the worker looks for the message before it continues. True if the worker must run.
     */
    public synchronized boolean onNotStored(MessageSubmission submission) {
        inFlight.remove(submission);
        MessageId id = submission.id();
        if (id != null) {
            rewindTo(id);
        }
        return heldBack;
    }

    private void rewindTo(MessageId id) {
        if (stored == null || id.compareTo(stored) < 0) {
            stored = id;
        }
    }

    /** From now on messages must claim the lease again. */
    synchronized void release() {
        held = false;
    }

    /** Called when another node holds the lease. */
    synchronized void onLeaseLost() {
        held = false;
        heldElsewhere = true;
    }

    /** Begins the worker's next read and returns its first message. */
    synchronized MessageId beginRead() {
        cursor = first();
        stored = null;
        heldBack = false;
        nextRead = System.nanoTime() + READ_INTERVAL_NANOS;
        inFlight.beginRead();
        return cursor;
    }

    /** The first message that may wait. */
    synchronized MessageId first() {
        return stored != null && stored.compareTo(cursor) < 0 ? stored : cursor;
    }

    /** Begins a read that does not move the cursor. */
    synchronized void beginLookahead() {
        inFlight.beginRead();
    }

    /** The messages of a read that no message in flight can precede. */
    synchronized List<PendingMessage> settled(List<PendingMessage> found) {
        return inFlight.settled(found);
    }

    /** Moves the cursor back to an older message; false if it is not older. */
    synchronized boolean moveBackTo(Optional<MessageId> message) {
        boolean older = message.isPresent() && message.get().compareTo(cursor) < 0;
        if (older) {
            cursor = message.get();
        }
        return older;
    }

    synchronized void moveTo(MessageId message) {
        cursor = message;
    }

    /** Whether the message at the cursor must wait, because an in-flight insert precedes it. */
    synchronized boolean holdBack() {
        heldBack = inFlight.precede(cursor);
        readNow();
        return heldBack;
    }

    /** Lets the next read begin at once. */
    synchronized void readNow() {
        nextRead = System.nanoTime();
    }

    synchronized long nanosUntilRead() {
        return nextRead - System.nanoTime();
    }

    /** Whether messages are in flight or were stored since the last read. */
    synchronized boolean expectsMessages() {
        return stored != null || !inFlight.isEmpty();
    }
}
