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
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * Processes the waiting messages of one conversation on this node, one after the other.
 *
 * <p>While the worker holds the conversation's lease, a message costs one write. The lease is released two seconds
 * after the last message. An in-flight insert pins the worker, so the lease is never released while a message may
 * still commit, and holds back later messages (docs/decisions/0120).
 */
final class ConversationWorker {
    private static final Logger LOG = Logger.getLogger(ConversationWorker.class);
    private static final int MAX_BATCH_SIZE = 50;
    private static final int ADVANCE_INTERVAL = 1_000;
    private static final long IDLE_RELEASE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Results that follow each other faster than this are written together. */
    private static final long MAX_GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Minimum interval between reads of a busy conversation; a read per message costs several times as much. */
    private static final long READ_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Maximum seconds between retries of a waiting message; the end of a wait on this node wakes the worker at once. */
    private static final int MAX_RETRY_SECONDS = 8;

    /** State of the worker, guarded by its lock like the fields below. */
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
    /** Whether the next message waits for an in-flight insert that precedes it. */
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
        this.cursor = new MessageId(new UUID(-1L, -1L));
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
    synchronized void onStored(MessageSubmission submission, boolean ownedHere) {
        inFlight.remove(submission);
        if (ownedHere) {
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
     * Called when the insert failed or its outcome is unknown: the database may have committed it before the
     * connection was lost. The worker looks for the message before it continues.
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

    /** Continues the work of another node. The lease may have been released since, so the next message claims it. */
    synchronized void resume(MessageId from) {
        enqueue(from);
    }

    /** Retries the waiting message. */
    synchronized void wake() {
        woken = true;
        retrySeconds = 1;
        if (phase == WorkerPhase.PARKED) {
            start(0);
        }
    }

    /** Called every second: retries a parked message with backoff, and releases an idle lease. */
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
            held = false; // A message from now on claims the lease again.
            Thread.ofVirtual().name("conversation-release").start(this::release);
        }
    }

    /** Stops the worker at once; unfinished work is not written. */
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
            finished.clear(); // Messages whose result was not written are processed again.
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
            handlerCache.clear(); // The handler may have cached a partial result.
            park();
        } finally {
            runningThread.compareAndSet(Thread.currentThread(), null); // The next run may have begun.
            processor.busy().remove(this);
            processor.running().release();
        }
        if (more && !processor.isStopping()) {
            Thread.ofVirtual()
                    .name("conversation-worker")
                    .start(() -> run(0)); // Other workers may run while this one waits for its budget.
        }
    }

    /** Processes a batch of waiting messages; false if there is nothing to do now. */
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

    /** Called when another node holds the lease. */
    private synchronized void onLeaseLost() {
        held = false;
        heldElsewhere = true;
        lease.lost();
        resumeIfHeldBack();
    }

    /** Moves the cursor back to an older waiting message; false if there is none. */
    private synchronized boolean rewindTo(Optional<MessageId> to) {
        Optional<MessageId> older = to.filter(from -> from.compareTo(cursor) < 0);
        older.ifPresent(from -> {
            cursor = from;
            announcements.onMessagesFrom(from);
        });
        return older.isPresent();
    }

    /** Whether the finished messages have waited long enough for others. */
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
        // Messages that were read but not finished still have a waiting status, from the cursor on.
        if (phase == WorkerPhase.RUNNING) {
            phase = WorkerPhase.PARKED;
        }
    }

    /** Handles one message; false if it must wait. */
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
            return processor.handler(conversation.usecase()).handle(message, handlerCache);
        } catch (ApiProblem e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.errorf(e, "Message %s could not be processed", message.id());
            return new Handled.HandlingFailed(NewMessage.notice(message, "The message could not be processed."));
        } finally {
            slow.end();
        }
    }

    /** Marks the current message PROCESSING if its handler takes long. Called often. */
    void markSlow() {
        slow.check();
    }

    /** Publishes the events of messages that wait. Called often, by another thread. */
    void announceLate() {
        announcements.check();
    }

    /** Called with the current lease: other nodes may have stored messages that wait here. */
    synchronized void onLeaseRead(ProcessingStore.WaitingConversation row) {
        if (phase == WorkerPhase.PARKED || phase == WorkerPhase.RUNNING) {
            announcements.onLeaseRead(row);
        }
    }

    /** Collects the results of a batch, which are written together unless it takes long. */
    private void finish(PendingMessage message, MessageStatus status, List<NewMessage> replies) {
        if (finished.isEmpty()) {
            finishedSince = System.nanoTime();
        }
        List<NewMessage> listed =
                replies.stream().map(reply -> reply.after(message.id())).toList();
        finished.add(new ProcessingStore.CompletedMessage(message, status, listed));
    }

    /** Writes the finished messages; false if another node owns the work, which then repeats it. */
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
        } catch (ExecutionException e) {
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
            if (left.next().isPresent()) {
                enqueue(left.next().get());
            } else if (rewind != null) {
                start(0);
            } else if (left.released() && inFlight.isEmpty()) {
                phase = WorkerPhase.CLOSED;
            }
        }
        if (isClosed()) {
            processor.remove(this);
        }
    }
}
