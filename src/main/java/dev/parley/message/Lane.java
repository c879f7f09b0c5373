package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.message.MessageHandler.Handled;
import dev.parley.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * The waiting messages of one conversation on this node, processed one after the other.
 *
 * <p>While the lane holds the conversation's work row, a message costs no write beside its own; the row is given up
 * two seconds after the last message. A message that is being stored keeps the lane open, so that none is overlooked
 * between its commit and the row's deletion.
 */
final class Lane {
    private static final Logger LOG = Logger.getLogger(Lane.class);
    private static final int BATCH = 50;
    private static final int ADVANCE_EVERY = 1_000;

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Results that came quicker than this one after the other are written together. */
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * A conversation with many messages is read this often, and each time all of what came: reading and answering one
     * by one would cost several times as much, and take the time from accepting. The first message never waits.
     */
    private static final long READ_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Seconds between tries of a message that waits, say, for a person's ticket: who ends the wait here wakes us. */
    private static final int MOST_PATIENCE = 8;

    /** What runs, waits or ends the lane; guarded by the lane's lock like the fields below. */
    private enum Phase {
        IDLE,
        RUNNING,
        /** The next message waits for its turn, or the database is away. */
        PARKED,
        RELEASING,
        CLOSED
    }

    private final MessageProcessor processor;
    private final ConversationRef conversation;
    private final NodeId owner;
    private final Telling telling;
    private final WorkRow row;
    private final AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
    private final AtomicReference<@Nullable InHand> inHand = new AtomicReference<>();
    private Phase phase = Phase.IDLE;
    private boolean held;
    private int storing;
    private MessageId cursor;

    private @Nullable MessageId rewind;
    private boolean woken;
    private int parkedTicks;
    private int parkedPatience = 1;
    private long idleSince = System.nanoTime();
    private int processed;
    private final LaneMemory memory = new LaneMemory();
    private final List<ProcessingStore.Finish> finished = new ArrayList<>();
    private long finishedSince;
    private long lastRead = System.nanoTime() - READ_EVERY_NANOS;

    /** The message that a handler works on, since a moment of the JVM's clock. */
    private record InHand(PendingMessage message, long since) {}

    Lane(MessageProcessor processor, ConversationRef conversation, NodeId owner) {
        this.processor = processor;
        this.conversation = conversation;
        this.owner = owner;
        this.telling = new Telling(processor.untold(), processor.share(), conversation, owner);
        this.row = new WorkRow(processor.store(), conversation, owner);
        this.cursor = new MessageId(new java.util.UUID(-1L, -1L));
    }

    ConversationRef conversation() {
        return conversation;
    }

    NodeId owner() {
        return owner;
    }

    synchronized boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /**
     * What a message that is about to be stored must know.
     *
     * @param owner the node id that holds the conversation's work; empty when the message must claim it
     */
    record Begun(Optional<NodeId> owner) {}

    /** Announces a message that is about to be stored; empty when closed. */
    synchronized Optional<Begun> begin() {
        if (phase == Phase.CLOSED) {
            return Optional.empty();
        }
        storing++;
        return Optional.of(new Begun(held ? Optional.of(owner) : Optional.empty()));
    }

    /** Tells that the announced message was stored, and whether this node is to process it. */
    synchronized void stored(NewMessage message, boolean here) {
        storing--;
        if (here) {
            if (phase != Phase.RELEASING) {
                held = true;
            }
            enqueue(message.id());
        } else {
            leave();
        }
    }

    /** Tells that the announced message was not stored. */
    synchronized void notStored() {
        storing--;
    }

    /**
     * Tells that nobody knows whether the announced message was stored: the database went away meanwhile. A client that
     * sends it again has it acknowledged, so the lane looks for it before it goes on.
     */
    synchronized void perhapsStored(MessageId id) {
        storing--;
        lookFrom(id);
    }

    /**
     * Takes up work that was another node's, or that was left lying. Whether the row is held then is not known here: it
     * may just have been released, so the next message claims it.
     */
    synchronized void resume(MessageId from) {
        enqueue(from);
    }

    /** Offers the waiting message again. */
    synchronized void wake() {
        woken = true;
        parkedPatience = 1;
        if (phase == Phase.PARKED) {
            start(0);
        }
    }

    /** Called every second: tries what is parked again, ever less often, and gives up what is done. */
    synchronized void tick() {
        if (phase == Phase.PARKED) {
            if (++parkedTicks >= parkedPatience) {
                parkedTicks = 0;
                parkedPatience = Math.min(2 * parkedPatience, MOST_PATIENCE);
                start(0);
            }
        } else if (phase == Phase.IDLE && storing == 0 && System.nanoTime() - idleSince > LINGER_NANOS) {
            phase = Phase.RELEASING;
            held = false; // A message that comes from now on claims the row anew, whoever is quicker.
            Thread.ofVirtual().name("lane-release").start(this::release);
        }
    }

    /** Ends the lane where it stands; what it has in hand is not written. */
    void stop() {
        synchronized (this) {
            phase = Phase.CLOSED;
        }
        Thread thread = worker.get();
        if (thread != null) {
            thread.interrupt();
        }
    }

    private void lookFrom(MessageId id) {
        if (rewind == null || id.compareTo(rewind) < 0) {
            rewind = id;
        }
    }

    private void enqueue(MessageId id) {
        lookFrom(id);
        telling.came(id);
        if (phase == Phase.IDLE) {
            start(lastRead + READ_EVERY_NANOS - System.nanoTime());
        }
    }

    private void start(long delayNanos) {
        if (!processor.isStopping()) {
            phase = Phase.RUNNING;
            Thread.ofVirtual().name("lane").start(() -> run(delayNanos));
        }
    }

    private void run(long delayNanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(delayNanos);
            processor.share().await();
            processor.running().acquire();
        } catch (InterruptedException _) {
            return;
        }
        processor.busy().add(this);
        worker.set(Thread.currentThread());
        MDC.put("organizationId", conversation.organization().text());
        boolean more = true;
        try {
            do {
                more = step();
            } while (more && !processor.isStopping() && processor.share().tryBegin());
        } catch (InterruptedException _) {
            more = false;
            finished.clear(); // What was not written is processed again.
            memory.clear();
            LOG.debugf("Processing of conversation %s was stopped", conversation.id());
        } catch (RuntimeException e) {
            boolean outage = e instanceof Problem;
            LOG.logf(
                    outage ? Logger.Level.DEBUG : Logger.Level.ERROR,
                    outage ? null : e,
                    "Processing of conversation %s is tried again: %s",
                    conversation.id(),
                    e.getMessage());
            more = false;
            finished.clear();
            memory.clear(); // The handler may have begun to note what it could not finish.
            park();
        } finally {
            worker.compareAndSet(Thread.currentThread(), null); // The next run may have begun.
            processor.busy().remove(this);
            processor.running().release();
        }
        if (more && !processor.isStopping()) {
            Thread.ofVirtual().name("lane").start(() -> run(0)); // Others may run while it waits for its share.
        }
    }

    /** Processes a batch of waiting messages; false when there is nothing to do now. */
    private boolean step() throws InterruptedException {
        boolean _ = goBack(row.first());
        MessageId from;
        synchronized (this) {
            if (phase == Phase.CLOSED) {
                return false;
            }
            if (rewind != null && rewind.compareTo(cursor) < 0) {
                cursor = rewind;
            }
            rewind = null;
            woken = false;
            from = cursor;
            lastRead = System.nanoTime();
        }
        ProcessingStore.Waiting waiting = processor.store().pending(conversation, owner, from, BATCH);
        List<PendingMessage> batch = waiting.messages();
        if (waiting.isElsewhere()) {
            leave();
            return idleOrMore(List.of());
        }
        if (!batch.isEmpty() && goBack(row.changed(waiting.version()))) {
            return true;
        }
        processor.share().charge(Math.max(0, batch.size() - 1));
        for (PendingMessage message : batch) {
            boolean mine = process(message);
            if (!mine || isSlow()) {
                mine &= flush();
            }
            if (!mine) {
                return parkedOrWoken(message.id());
            }
        }
        if (!flush()) {
            return false;
        }
        return idleOrMore(batch);
    }

    /** Leaves the conversation to the node that has its row now. */
    private synchronized void leave() {
        held = false;
        row.lost();
    }

    /** Goes back to what waits before the cursor; false when nothing does. */
    private synchronized boolean goBack(Optional<MessageId> to) {
        Optional<MessageId> older = to.filter(from -> from.compareTo(cursor) < 0);
        older.ifPresent(from -> {
            cursor = from;
            telling.came(from);
        });
        return older.isPresent();
    }

    /** Whether what is finished has waited long enough for others to be written with it. */
    private boolean isSlow() {
        return !finished.isEmpty() && System.nanoTime() - finishedSince > GATHER_NANOS;
    }

    private synchronized boolean idleOrMore(List<PendingMessage> batch) {
        parkedPatience = 1;
        if (!batch.isEmpty()) {
            cursor = batch.getLast().id();
        }
        boolean whole = ProcessingStore.isWhole(batch, BATCH);
        telling.moved(whole && rewind == null);
        if (phase != Phase.RUNNING) {
            return phase != Phase.CLOSED;
        }
        if (!whole) {
            return true;
        }
        phase = Phase.IDLE;
        idleSince = System.nanoTime();
        if (rewind != null) {
            start(lastRead + READ_EVERY_NANOS - idleSince);
        }
        return false;
    }

    private synchronized boolean parkedOrWoken(MessageId at) {
        cursor = at;
        if (woken) {
            return phase != Phase.CLOSED;
        }
        if (phase == Phase.RUNNING) {
            phase = Phase.PARKED;
        }
        return false;
    }

    private synchronized void park() {
        // What was read but not finished waits still: the status tells, from the cursor on.
        if (phase == Phase.RUNNING) {
            phase = Phase.PARKED;
        }
    }

    /** Handles one message; false when it is not its turn yet. */
    private boolean process(PendingMessage message) throws InterruptedException {
        long begun = System.nanoTime();
        Handled handled = handle(message);
        switch (handled) {
            case Handled.NotYet _ -> {
                return false;
            }
            case Handled.Written _ -> {
                // The handler's own transaction has finished the message.
                ProcessingMeters.TAKEN.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
            case Handled.Answered(List<NewMessage> replies) -> {
                finish(new ProcessingStore.Finish(message, MessageStatus.DELIVERED, replies));
                ProcessingMeters.ANSWERED.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
            case Handled.Failed(NewMessage notice) -> {
                finish(new ProcessingStore.Finish(message, MessageStatus.FAILED, List.of(notice)));
                ProcessingMeters.FAILED.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
        }
        if (++processed % ADVANCE_EVERY == 0) {
            advance();
        }
        return true;
    }

    private Handled handle(PendingMessage message) throws InterruptedException {
        inHand.set(new InHand(message, System.nanoTime()));
        try {
            MessageHandler handler = processor
                    .handler(conversation.usecase())
                    .orElseThrow(() -> new IllegalStateException("no handler for " + conversation.usecase()));
            return handler.handle(message, memory);
        } catch (Problem e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.errorf(e, "Message %s could not be processed", message.id());
            return new Handled.Failed(NewMessage.notice(message, "The message could not be processed."));
        } finally {
            inHand.set(null);
        }
    }

    /** Shows that work on the message in hand takes longer than a moment, if it does. Called often, beside the work. */
    void markSlow() {
        InHand now = inHand.get();
        if (now != null && System.nanoTime() - now.since() > SLOW_NANOS && inHand.compareAndSet(now, null)) {
            Thread.ofVirtual().start(() -> markProcessing(now.message()));
        }
    }

    /** Tells of messages that wait longer than a moment. Called often, beside the work. */
    void tellLate() {
        telling.check();
    }

    /** Sees the work row as it is now: others may have stored messages that wait here. */
    synchronized void look(ProcessingStore.Work row) {
        if (phase == Phase.PARKED || phase == Phase.RUNNING) {
            telling.look(row);
        }
    }

    private void markProcessing(PendingMessage message) {
        try {
            processor.store().markProcessing(message);
        } catch (RuntimeException e) {
            LOG.debugf("Message %s was not marked as PROCESSING: %s", message.id(), e.getMessage());
        }
    }

    /** Puts the result beside others of this batch, which are written together unless that takes long. */
    private void finish(ProcessingStore.Finish finish) {
        if (finished.isEmpty()) {
            finishedSince = System.nanoTime();
        }
        finished.add(finish);
    }

    /** Writes what was finished; false when the work is another node's, which then does it again. */
    private boolean flush() throws InterruptedException {
        if (finished.isEmpty()) {
            return true;
        }
        List<ProcessingStore.Finish> unit = List.copyOf(finished);
        finished.clear();
        try {
            if (processor.store().finish(unit).get() == ProcessingStore.Finished.FINISHED) {
                return true;
            }
        } catch (java.util.concurrent.ExecutionException e) {
            memory.clear();
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        }
        synchronized (this) {
            phase = Phase.CLOSED;
        }
        processor.fenced(this);
        return false;
    }

    private void advance() {
        synchronized (this) {
            if (storing > 0 || rewind != null) {
                return;
            }
        }
        row.advance();
    }

    private void release() {
        WorkRow.Left left = WorkRow.Left.UNKNOWN;
        try {
            left = row.release();
        } catch (RuntimeException e) {
            LOG.debugf("Conversation %s is released later: %s", conversation.id(), e.getMessage());
        }
        synchronized (this) {
            if (phase != Phase.RELEASING) {
                return;
            }
            phase = Phase.IDLE;
            idleSince = System.nanoTime();
            if (left.waiting().isPresent()) {
                enqueue(left.waiting().get());
            } else if (rewind != null) {
                start(0);
            } else if (left.gone() && storing == 0) {
                phase = Phase.CLOSED;
            }
        }
        if (isClosed()) {
            processor.remove(this);
        }
    }
}
