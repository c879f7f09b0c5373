package dev.parley.message.run;

import dev.parley.http.IdempotencyKeys;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.message.NewMessage;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where a worker reads its conversation's messages. Requests that store messages and the worker share it, so every method
 * is atomic and none blocks.
 */
public final class ConversationInbox {
    /** Minimum interval between reads of a busy conversation; a read per message costs several times as much. */
    private static final long READ_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Greater than all ids. */
    static final MessageId NEWEST = new MessageId(new UUID(-1L, -1L));

    private final NodeId owner;
    private boolean held;

    /** The message from which on the worker reads. */
    private MessageId cursor = NEWEST;

    /** The first message stored since the last read; null for none. */
    private @Nullable MessageId stored;

    private long nextRead = System.nanoTime();

    ConversationInbox(NodeId owner) {
        this.owner = owner;
    }

    /** A message that is about to be stored. */
    public synchronized MessageSubmission submission(NewMessage message, Optional<IdempotencyKeys.Claim> claim) {
        return new MessageSubmission(message, held ? Optional.of(owner) : Optional.empty(), claim);
    }

    /** The message was stored; {@code ownedHere} says whether this node processes it. */
    public synchronized void onStored(MessageSubmission submission, boolean ownedHere) {
        held = ownedHere;
        if (ownedHere) {
            rewindTo(submission.message().id());
        }
    }

    /**
     * Called when the insert failed or its outcome is unknown: the database may have committed it before the connection
     * was lost, so the worker looks for the message before it continues.
     */
    public synchronized void onNotStored(MessageSubmission submission) {
        MessageId id = submission.id();
        if (id != null) {
            rewindTo(id);
        }
    }

    private void rewindTo(MessageId id) {
        if (stored == null || id.compareTo(stored) < 0) {
            stored = id;
        }
    }

    /** From now on messages must claim the lease again, which was released or is another node's. */
    synchronized void release() {
        held = false;
    }

    /** Begins the worker's next read and returns its first message. */
    synchronized MessageId beginRead() {
        cursor = first();
        stored = null;
        nextRead = System.nanoTime() + READ_INTERVAL_NANOS;
        return cursor;
    }

    /** The first message that may wait. */
    synchronized MessageId first() {
        return stored != null && stored.compareTo(cursor) < 0 ? stored : cursor;
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

    /** Lets the next read begin at once. */
    synchronized void readNow() {
        nextRead = System.nanoTime();
    }

    synchronized long nanosUntilRead() {
        return nextRead - System.nanoTime();
    }

    /** Whether messages were stored since the last read. */
    synchronized boolean expectsMessages() {
        return stored != null;
    }
}
