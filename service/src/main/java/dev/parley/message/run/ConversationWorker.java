package dev.parley.message.run;

import dev.parley.conversation.ConversationKey;
import dev.parley.conversation.ConversationRef;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.message.HandlerCache;
import dev.parley.message.MessageHandler.Handled;
import dev.parley.message.MessageStatus;
import dev.parley.message.NewMessage;
import dev.parley.message.NoticeCode;
import dev.parley.message.PendingMessage;
import dev.parley.problem.ApiProblem;
import dev.parley.trace.SpanAttributes;
import dev.parley.trace.TraceSpan;
import dev.parley.trace.Tracing;
import dev.parley.work.KeyWorker;
import dev.parley.work.NextRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Processes the waiting messages of one conversation on this node, one after the other. While it holds the conversation's
 * lease, a message costs one write. A message is stored after all that precede it in the list (docs/decisions/0120).
 */
public final class ConversationWorker implements KeyWorker {
    private static final Logger LOG = Logger.getLogger(ConversationWorker.class);
    private static final int MAX_BATCH_SIZE = 50;
    private static final int ADVANCE_INTERVAL = 1_000;

    /** Results that follow each other faster than this are written together. */
    private static final long MAX_GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final MessageProcessor processor;
    private final ConversationKey key;
    private final NodeId owner;
    private final ConversationInbox inbox;
    private final SlowHandlerMonitor slow;
    private final HandlerCache handlerCache = new HandlerCache();
    private final List<ProcessingStore.CompletedMessage> finished = new ArrayList<>();
    private @Nullable ConversationLease lease;
    private long finishedSince;
    private int processed;

    ConversationWorker(MessageProcessor processor, ConversationKey key, NodeId owner) {
        this.processor = processor;
        this.key = key;
        this.owner = owner;
        this.inbox = new ConversationInbox(owner);
        this.slow = new SlowHandlerMonitor(this::onSlow);
    }

    public ConversationInbox inbox() {
        return inbox;
    }

    @Override
    public long delayNanos() {
        return inbox.nanosUntilRead();
    }

    /** Processes a batch of waiting messages. */
    @Override
    public NextRun run() throws InterruptedException {
        if (lease == null) {
            ConversationRef conversation = processor.conversation(key.organization(), key.conversation());
            lease = new ConversationLease(processor.store(), conversation, owner);
        }
        try {
            return processBatch(lease);
        } catch (InterruptedException | RuntimeException e) {
            finished.clear(); // Messages whose result was not written are processed again.
            handlerCache.clear(); // The handler may have cached a partial result.
            throw e;
        }
    }

    private NextRun processBatch(ConversationLease held) throws InterruptedException {
        boolean _ = inbox.moveBackTo(held.first());
        ProcessingStore.PendingMessages waiting = held.read(inbox.beginRead(), MAX_BATCH_SIZE);
        List<PendingMessage> batch = waiting.messages();
        if (waiting.isElsewhere()) {
            inbox.release();
            held.lost();
            return NextRun.WHEN_WOKEN;
        }
        if (!batch.isEmpty() && inbox.moveBackTo(held.changed(waiting.version()))) {
            return again();
        }
        processor.budget().charge(Math.max(0, batch.size() - 1));
        for (PendingMessage message : batch) {
            boolean done = process(held, message);
            if ((!done || isFlushDue()) && !flush(held)) {
                return NextRun.FENCED;
            }
            if (!done) {
                inbox.moveTo(message.id());
                publishWaiting(held, inbox.first(), ConversationInbox.NEWEST);
                return NextRun.RETRY;
            }
        }
        if (!flush(held)) {
            return NextRun.FENCED;
        }
        if (!batch.isEmpty()) {
            inbox.moveTo(batch.getLast().id());
        }
        return ProcessingStore.isWhole(batch, MAX_BATCH_SIZE) ? NextRun.WHEN_WOKEN : again();
    }

    private NextRun again() {
        inbox.readNow();
        return NextRun.NOW;
    }

    /** Handles one message; false if it must wait. */
    private boolean process(ConversationLease held, PendingMessage read) throws InterruptedException {
        long begun = System.nanoTime();
        PendingMessage message = withPublication(held, read);
        Handled handled;
        boolean wasSlow;
        try (TraceSpan span = Tracing.consumer("process message", message.trace())) {
            message = traced(message, span);
            slow.begin(message);
            try {
                handled = handle(message);
            } finally {
                wasSlow = slow.end();
            }
            if (handled instanceof Handled.NotYet) {
                span.discard();
            } else if (handled instanceof Handled.HandlingFailed) {
                span.fail("message_failed");
            }
        }
        PendingMessage result = wasSlow ? message.published() : message;
        switch (handled) {
            case Handled.NotYet _ -> {
                return false;
            }
            case Handled.HandlingWritten _ -> {
                // The handler's own transaction has finished the message.
                ProcessingMetrics.TAKEN.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
            case Handled.Answered(List<NewMessage> replies) -> {
                finish(result, MessageStatus.DELIVERED, replies, begun);
                ProcessingMetrics.ANSWERED.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
            case Handled.HandlingFailed(NewMessage notice) -> {
                finish(result, MessageStatus.FAILED, List.of(notice), begun);
                ProcessingMetrics.FAILED.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
        }
        if (++processed % ADVANCE_INTERVAL == 0 && !inbox.expectsMessages()) {
            held.advance();
        }
        return true;
    }

    private static PendingMessage traced(PendingMessage message, TraceSpan span) {
        String context = span.context();
        if (context == null) {
            return message;
        }
        span.set(message.conversation().organization())
                .set(SpanAttributes.CONVERSATION, message.conversation().id().text())
                .set(SpanAttributes.MESSAGE, message.id().text());
        return message.inTrace(context);
    }

    private Handled handle(PendingMessage message) throws InterruptedException {
        try {
            return processor.handler(message.conversation().usecase()).handle(message, handlerCache);
        } catch (ApiProblem e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.errorf(e, "Message %s could not be processed", message.id());
            return new Handled.HandlingFailed(NewMessage.notice(
                    message, NoticeCode.MESSAGE_FAILED, "The message could not be processed.", Map.of()));
        }
    }

    /** Marks the current message PROCESSING if its handler takes long. Called often, by another thread. */
    void checkSlow() {
        slow.check();
    }

    /** Publishes those whose result is not written yet, and marks the message; then publishes those behind it. */
    private void onSlow(PendingMessage message, boolean isFirst) {
        ConversationLease held = Objects.requireNonNull(lease);
        if (isFirst) {
            publishWaiting(held, inbox.first(), message.id());
            boolean _ = processor.store().markProcessing(withPublication(held, message));
        } else {
            publishWaiting(held, message.id().successor(), ConversationInbox.NEWEST);
        }
    }

    private static PendingMessage withPublication(ConversationLease held, PendingMessage message) {
        return held.isPublished(message) ? message.published() : message;
    }

    /** Publishes waiting messages of a range, if they have subscribers. */
    private void publishWaiting(ConversationLease held, MessageId first, MessageId end) {
        boolean more = processor.store().hasSubscribers(held.conversation());
        MessageId from = first;
        while (more && from.compareTo(end) < 0) {
            ProcessingStore.PendingMessages waiting = held.read(from, MAX_BATCH_SIZE);
            List<PendingMessage> found = waiting.isElsewhere() ? List.of() : waiting.messages();
            List<PendingMessage> before = found.stream()
                    .takeWhile(message -> message.id().compareTo(end) < 0)
                    .toList();
            more = held.publish(before)
                    && before.size() == found.size()
                    && !ProcessingStore.isWhole(found, MAX_BATCH_SIZE);
            from = more ? found.getLast().id().successor() : from;
            processor.budget().charge(before.size());
        }
    }

    /** Collects the results of a batch, which are written together unless it takes long. */
    private void finish(PendingMessage message, MessageStatus status, List<NewMessage> replies, long begun) {
        if (finished.isEmpty()) {
            finishedSince = begun; // A reply that took long is stored before the next one is written.
        }
        List<NewMessage> listed =
                replies.stream().map(reply -> reply.after(message.id())).toList();
        finished.add(new ProcessingStore.CompletedMessage(message, status, listed));
    }

    /** Whether the finished messages took long enough to be stored without waiting for others. */
    private boolean isFlushDue() {
        return !finished.isEmpty() && System.nanoTime() - finishedSince > MAX_GATHER_NANOS;
    }

    /** Writes the finished messages; false if another node owns the work, which then repeats it. */
    private boolean flush(ConversationLease held) throws InterruptedException {
        if (finished.isEmpty()) {
            return true;
        }
        // Messages may have been published since they were handled, while the next one was slow.
        List<ProcessingStore.CompletedMessage> unit = finished.stream()
                .map(one -> new ProcessingStore.CompletedMessage(
                        withPublication(held, one.message()), one.status(), one.replies()))
                .toList();
        finished.clear();
        try {
            return processor.store().finish(unit).get() == ProcessingStore.CompletionResult.FINISHED;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        }
    }

    /** Releases the lease, unless messages wait. */
    @Override
    public boolean release() {
        ConversationLease held = lease;
        inbox.release();
        if (held == null) {
            return true;
        }
        ConversationLease.ReleaseResult left = held.release();
        boolean _ = inbox.moveBackTo(left.next());
        return left.released();
    }
}
