package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.http.IdempotencyKeys;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.message.MessageHandler.Handled;
import dev.parley.problem.ApiProblem;
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
 * <p>While the worker holds the conversation's work row, a message costs no write beside its own; the row is given up
 * two seconds after the last message. A message in flight keeps the worker open, so that none is overlooked between its
 * commit and the row's deletion, and holds back the messages that are listed after it (docs/decisions/0120).
 */
final class ConversationWorker {
    private static final Logger LOG = Logger.getLogger(ConversationWorker.class);
    private static final int MAX_BATCH_SIZE = 50;
    private static final int ADVANCE_INTERVAL = 1_000;

    private static final long IDLE_RELEASE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Results that came quicker than this one after the other are written together. */
    private static final long MAX_GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A busy conversation is read this often: one read per message costs several times as much. */
    private static final long READ_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Seconds between tries of a message that waits, say, for a person's ticket: who ends the wait here wakes us. */
    private static final int MAX_RETRY_SECONDS = 8;

    /** What runs, waits or ends the worker; guarded by the worker's lock like the fields below. */
    private enum WorkerPhase {
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
    private final AnnouncementTimer announcements;
    private final ConversationLease lease;
    private final AtomicReference<@Nullable Thread> runningThread = new AtomicReference<>();
    private final SlowMessageMarker slow;
    private WorkerPhase phase = WorkerPhase.IDLE;
    private boolean held;
    private boolean heldElsewhere;
    private MessageId cursor;

    private final InFlightMessages inFlight = new InFlightMessages();

    /** Whether the next message waits for one that is in flight and is listed before it. */
    private boolean heldBack;

    private @Nullable MessageId rewind;
    private boolean woken;
    private int parkedTicks;
    private int retrySeconds = 1;
    private long idleSince = System.nanoTime();
    private int processed;
    private final HandlerCache handlerCache = new HandlerCache();
    private final List<ProcessingStore.CompletedMessage> finished = new ArrayList<>();
    private long finishedSince;
    private long lastRead = System.nanoTime() - READ_INTERVAL_NANOS;

    ConversationWorker(MessageProcessor processor, ConversationRef conversation, NodeId owner) {
        this.processor = processor;
        this.conversation = conversation;
        this.owner = owner;
        this.announcements = new AnnouncementTimer(processor.unannounced(), processor.budget(), conversation, owner);
        this.lease = new ConversationLease(processor.store(), conversation, owner);
        this.slow = new SlowMessageMarker(processor.store());
        this.cursor = new MessageId(new java.util.UUID(-1L, -1L));
    }

    ConversationRef conversation() {
        return conversation;
    }

    NodeId owner() {
        return owner;
    }

    synchronized boolean isClosed() {
        return phase == WorkerPhase.CLOSED;
    }

    /** Registers a message that is about to be stored; empty when closed. */
    synchronized Optional<MessageSubmission> register(NewMessage message, Optional<IdempotencyKeys.Claim> claim) {
        if (phase == WorkerPhase.CLOSED) {
            return Optional.empty();
        }
        Optional<NodeId> holder = held ? Optional.of(owner) : Optional.empty();
        var submission = new MessageSubmission(message, holder, heldElsewhere, claim);
        inFlight.add(submission);
        return Optional.of(submission);
    }

    /** The message was stored; {@code here} says whether this node processes it. */
    synchronized void onStored(MessageSubmission submission, boolean here) {
        inFlight.remove(submission);
        if (here) {
            heldElsewhere = false;
            if (phase != WorkerPhase.RELEASING) {
                held = true;
            }
            enqueue(submission.message().id());
        } else {
            onLeaseLost();
        }
    }

    /**
     * The message was not stored, as far as is known: the database may have gone away after the commit. A client that
     * sends it again has it acknowledged, so the worker looks for it before it goes on.
     */
    synchronized void onNotStored(MessageSubmission submission) {
        inFlight.remove(submission);
        MessageId id = submission.id();
        if (id != null) {
            rewindTo(id);
        }
        resumeIfHeldBack();
    }

    private void resumeIfHeldBack() {
        if (heldBack && phase == WorkerPhase.IDLE) {
            start(0);
        }
    }

    /** Takes over work of another node. The row may have been released since, so the next message claims it. */
    synchronized void resume(MessageId from) {
        enqueue(from);
    }

    /** Offers the waiting message again. */
    synchronized void wake() {
        woken = true;
        retrySeconds = 1;
        if (phase == WorkerPhase.PARKED) {
            start(0);
        }
    }

    /** Called every second: tries what is parked again, ever less often, and gives up what is done. */
    synchronized void tick() {
        if (phase == WorkerPhase.PARKED) {
            if (++parkedTicks >= retrySeconds) {
                parkedTicks = 0;
                retrySeconds = Math.min(2 * retrySeconds, MAX_RETRY_SECONDS);
                start(0);
            }
        } else if (phase == WorkerPhase.IDLE
                && inFlight.isEmpty()
                && System.nanoTime() - idleSince > IDLE_RELEASE_NANOS) {
            phase = WorkerPhase.RELEASING;
            held = false; // A message that comes from now on claims the row anew, whoever is quicker.
            Thread.ofVirtual().name("conversation-release").start(this::release);
        }
    }

    /** Ends the worker where it stands; what it has in hand is not written. */
    void stop() {
        synchronized (this) {
            phase = WorkerPhase.CLOSED;
        }
        Thread thread = runningThread.get();
        if (thread != null) {
            thread.interrupt();
        }
    }

    private void rewindTo(MessageId id) {
        if (rewind == null || id.compareTo(rewind) < 0) {
            rewind = id;
        }
    }

    private void enqueue(MessageId id) {
        rewindTo(id);
        announcements.onMessagesFrom(id);
        if (phase == WorkerPhase.IDLE) {
            start(lastRead + READ_INTERVAL_NANOS - System.nanoTime());
        }
    }

    private void start(long delayNanos) {
        if (!processor.isStopping()) {
            phase = WorkerPhase.RUNNING;
            heldBack = false;
            Thread.ofVirtual().name("conversation-worker").start(() -> run(delayNanos));
        }
    }

    private void run(long delayNanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(delayNanos);
            processor.budget().await();
            processor.running().acquire();
        } catch (InterruptedException _) {
            return;
        }
        processor.busy().add(this);
        runningThread.set(Thread.currentThread());
        MDC.put("organizationId", conversation.organization().text());
        boolean more = true;
        try {
            do {
                more = step();
            } while (more && !processor.isStopping() && processor.budget().tryBegin());
        } catch (InterruptedException _) {
            more = false;
            finished.clear(); // What was not written is processed again.
            handlerCache.clear();
            LOG.debugf("Processing of conversation %s was stopped", conversation.id());
        } catch (RuntimeException e) {
            boolean outage = e instanceof ApiProblem;
            LOG.logf(
                    outage ? Logger.Level.DEBUG : Logger.Level.ERROR,
                    outage ? null : e,
                    "Processing of conversation %s is tried again: %s",
                    conversation.id(),
                    e.getMessage());
            more = false;
            finished.clear();
            handlerCache.clear(); // The handler may have begun to note what it could not finish.
            park();
        } finally {
            runningThread.compareAndSet(Thread.currentThread(), null); // The next run may have begun.
            processor.busy().remove(this);
            processor.running().release();
        }
        if (more && !processor.isStopping()) {
            Thread.ofVirtual()
                    .name("conversation-worker")
                    .start(() -> run(0)); // Others may run while it waits for its share.
        }
    }

    /** Processes a batch of waiting messages; false when there is nothing to do now. */
    private boolean step() throws InterruptedException {
        boolean _ = rewindTo(lease.first());
        MessageId from;
        synchronized (this) {
            if (phase == WorkerPhase.CLOSED) {
                return false;
            }
            if (rewind != null && rewind.compareTo(cursor) < 0) {
                cursor = rewind;
            }
            rewind = null;
            woken = false;
            from = cursor;
            lastRead = System.nanoTime();
            inFlight.beginRead();
        }
        ProcessingStore.PendingMessages waiting = lease.read(from, MAX_BATCH_SIZE);
        List<PendingMessage> found = waiting.messages();
        List<PendingMessage> batch;
        synchronized (this) {
            batch = inFlight.settled(found);
        }
        if (waiting.isElsewhere()) {
            onLeaseLost();
            return idleOrMore(List.of());
        }
        if (!found.isEmpty() && rewindTo(lease.changed(waiting.version()))) {
            return true;
        }
        processor.budget().charge(Math.max(0, batch.size() - 1));
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
        return batch.size() < found.size() ? holdBack(found.get(batch.size()).id()) : idleOrMore(batch);
    }

    /** Waits until the messages in flight that are listed before the next one are stored; true when they are. */
    private synchronized boolean holdBack(MessageId next) {
        retrySeconds = 1;
        cursor = next;
        if (phase != WorkerPhase.RUNNING || !inFlight.precede(next)) {
            return phase != WorkerPhase.CLOSED;
        }
        phase = WorkerPhase.IDLE;
        heldBack = true;
        idleSince = System.nanoTime();
        lastRead = idleSince - READ_INTERVAL_NANOS;
        return false;
    }

    /** Leaves the conversation to the node that has its row now. */
    private synchronized void onLeaseLost() {
        held = false;
        heldElsewhere = true;
        lease.lost();
        resumeIfHeldBack();
    }

    /** Goes back to what waits before the cursor; false when nothing does. */
    private synchronized boolean rewindTo(Optional<MessageId> to) {
        Optional<MessageId> older = to.filter(from -> from.compareTo(cursor) < 0);
        older.ifPresent(from -> {
            cursor = from;
            announcements.onMessagesFrom(from);
        });
        return older.isPresent();
    }

    /** Whether what is finished has waited long enough for others to be written with it. */
    private boolean isSlow() {
        return !finished.isEmpty() && System.nanoTime() - finishedSince > MAX_GATHER_NANOS;
    }

    private synchronized boolean idleOrMore(List<PendingMessage> batch) {
        retrySeconds = 1;
        if (!batch.isEmpty()) {
            cursor = batch.getLast().id();
        }
        boolean whole = ProcessingStore.isWhole(batch, MAX_BATCH_SIZE);
        announcements.onProcessed(whole && rewind == null);
        if (phase != WorkerPhase.RUNNING) {
            return phase != WorkerPhase.CLOSED;
        }
        if (!whole) {
            return true;
        }
        phase = WorkerPhase.IDLE;
        idleSince = System.nanoTime();
        if (rewind != null) {
            start(lastRead + READ_INTERVAL_NANOS - idleSince);
        }
        return false;
    }

    private synchronized boolean parkedOrWoken(MessageId at) {
        cursor = at;
        if (woken) {
            return phase != WorkerPhase.CLOSED;
        }
        if (phase == WorkerPhase.RUNNING) {
            phase = WorkerPhase.PARKED;
        }
        return false;
    }

    private synchronized void park() {
        // What was read but not finished waits still: the status tells, from the cursor on.
        if (phase == WorkerPhase.RUNNING) {
            phase = WorkerPhase.PARKED;
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
            case Handled.HandlingWritten _ -> {
                // The handler's own transaction has finished the message.
                ProcessingMetrics.TAKEN.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
            case Handled.Answered(List<NewMessage> replies) -> {
                finish(message, MessageStatus.DELIVERED, replies);
                ProcessingMetrics.ANSWERED.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
            case Handled.HandlingFailed(NewMessage notice) -> {
                finish(message, MessageStatus.FAILED, List.of(notice));
                ProcessingMetrics.FAILED.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
        }
        if (++processed % ADVANCE_INTERVAL == 0) {
            advance();
        }
        return true;
    }

    private Handled handle(PendingMessage message) throws InterruptedException {
        slow.begin(message);
        try {
            MessageHandler handler = processor
                    .handler(conversation.usecase())
                    .orElseThrow(() -> new IllegalStateException("no handler for " + conversation.usecase()));
            return handler.handle(message, handlerCache);
        } catch (ApiProblem e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.errorf(e, "Message %s could not be processed", message.id());
            return new Handled.HandlingFailed(NewMessage.notice(message, "The message could not be processed."));
        } finally {
            slow.end();
        }
    }

    /** Shows the message that a handler works on as PROCESSING if that takes long. Called often. */
    void markSlow() {
        slow.check();
    }

    /** Tells of messages that wait longer than a moment. Called often, beside the work. */
    void announceLate() {
        announcements.check();
    }

    /** Sees the work row as it is now: others may have stored messages that wait here. */
    synchronized void onLeaseRead(ProcessingStore.WaitingConversation row) {
        if (phase == WorkerPhase.PARKED || phase == WorkerPhase.RUNNING) {
            announcements.onLeaseRead(row);
        }
    }

    /** Collects the results of this batch, which are written together unless that takes long. */
    private void finish(PendingMessage message, MessageStatus status, List<NewMessage> replies) {
        if (finished.isEmpty()) {
            finishedSince = System.nanoTime();
        }
        List<NewMessage> listed =
                replies.stream().map(reply -> reply.after(message.id())).toList();
        finished.add(new ProcessingStore.CompletedMessage(message, status, listed));
    }

    /** Writes what was finished; false when the work is another node's, which then does it again. */
    private boolean flush() throws InterruptedException {
        if (finished.isEmpty()) {
            return true;
        }
        List<ProcessingStore.CompletedMessage> unit = List.copyOf(finished);
        finished.clear();
        try {
            if (processor.store().finish(unit).get() == ProcessingStore.CompletionResult.FINISHED) {
                return true;
            }
        } catch (java.util.concurrent.ExecutionException e) {
            handlerCache.clear();
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        }
        synchronized (this) {
            phase = WorkerPhase.CLOSED;
        }
        processor.fenced(this);
        return false;
    }

    private void advance() {
        synchronized (this) {
            if (!inFlight.isEmpty() || rewind != null) {
                return;
            }
        }
        lease.advance();
    }

    private void release() {
        ConversationLease.ReleaseResult left = ConversationLease.ReleaseResult.UNKNOWN;
        try {
            left = lease.release();
        } catch (RuntimeException e) {
            LOG.debugf("Conversation %s is released later: %s", conversation.id(), e.getMessage());
        }
        synchronized (this) {
            if (phase != WorkerPhase.RELEASING) {
                return;
            }
            phase = WorkerPhase.IDLE;
            idleSince = System.nanoTime();
            if (left.waiting().isPresent()) {
                enqueue(left.waiting().get());
            } else if (rewind != null) {
                start(0);
            } else if (left.gone() && inFlight.isEmpty()) {
                phase = WorkerPhase.CLOSED;
            }
        }
        if (isClosed()) {
            processor.remove(this);
        }
    }
}
