package dev.parley.webhook;

import dev.parley.event.Event;
import dev.parley.node.NodeLease;
import dev.parley.webhook.DeliveryResult.DeliveredResult;
import dev.parley.webhook.DeliveryResult.QueueChange;
import dev.parley.webhook.DeliveryResult.WrittenResult;
import dev.parley.webhook.WebhookCall.AttemptResult;
import dev.parley.webhook.core.DeliveryStep;
import dev.parley.webhook.core.RetrySchedule;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Processes one turn of a queue: sends its deliveries in order until one must wait, none is left, or the turn has
 * lasted long enough. The next delivery is sent while the previous result is being stored.
 */
@Singleton
public final class DeliveryWorker {
    private static final Duration TURN_TIME = Duration.ofSeconds(1);
    private static final Duration SLOW_THRESHOLD = Duration.ofSeconds(1);
    private static final Duration BUSY_THRESHOLD = Duration.ofMillis(20);
    private static final long WRITE_SECONDS = 30;

    /** The limit of this node for characters of large events in memory. */
    private static final int LARGE_EVENTS = 24 << 20;

    private final DeliveryQueueStore store;
    private final WebhookCall call;
    private final DeliveryResultWriter reports;
    private final NodeLease node;
    private final Clock clock;
    private final Semaphore large = new Semaphore(LARGE_EVENTS);

    /** Called with whether the receiver is slow. */
    @FunctionalInterface
    interface ReceiverSpeedListener {
        void measured(boolean slow);
    }

    public DeliveryWorker(
            DeliveryQueueStore store, WebhookCall call, DeliveryResultWriter reports, NodeLease node, Clock clock) {
        this.store = store;
        this.call = call;
        this.reports = reports;
        this.node = node;
        this.clock = clock;
    }

    /** True if the queue has more to send at once. */
    boolean run(DeliveryBatch work, List<SigningSecret> signing, ReceiverSpeedListener speed, BooleanSupplier stopping)
            throws InterruptedException {
        if (work.pending().isEmpty()) {
            return close(work);
        }
        long end = System.nanoTime() + TURN_TIME.toNanos();
        CompletableFuture<WrittenResult> written = CompletableFuture.completedFuture(WrittenResult.DONE);
        for (int i = 0; i < work.pending().size(); i++) {
            boolean last = i == work.pending().size() - 1;
            PendingDelivery delivery = work.pending().get(i);
            DeliveryOutcome outcome = one(work, delivery, signing, speed);
            QueueChange change = outcome.change != null
                    ? outcome.change
                    : last && work.isAll() ? new QueueChange.Close(work.lastSequence()) : new QueueChange.NoChange();
            written = submit(work, outcome.result, change);
            if (change instanceof QueueChange.Pause) {
                boolean _ = awaitCommit(work, written);
                return false;
            }
            if (change instanceof QueueChange.QueueGone || stopping.getAsBoolean() || System.nanoTime() - end > 0) {
                break;
            }
        }
        return awaitCommit(work, written);
    }

    /** Closes a finished queue. Not possible while events are being added, and retried then. */
    private boolean close(DeliveryBatch work) throws InterruptedException {
        boolean open = awaitCommit(work, submit(work, null, new QueueChange.Close(work.lastSequence())));
        if (open) {
            LockSupport.parkNanos(BUSY_THRESHOLD.toNanos());
        }
        return open;
    }

    /** @param change null if the queue continues */
    private record DeliveryOutcome(
            DeliveredResult result, @Nullable QueueChange change) {}

    private DeliveryOutcome one(
            DeliveryBatch work, PendingDelivery delivery, List<SigningSecret> signing, ReceiverSpeedListener speed)
            throws InterruptedException {
        if (work.url().isEmpty()) {
            DeliveryState state = work.receiverGone() ? DeliveryState.FAILED : DeliveryState.CANCELLED;
            return new DeliveryOutcome(
                    new DeliveredResult(delivery, state, null, determinesMessageStatus(work, delivery)), null);
        }
        if (delivery.event() != null) {
            return send(work, delivery, delivery.event(), signing, speed);
        }
        int size = Math.min(delivery.eventSize(), LARGE_EVENTS);
        large.acquire(size);
        try {
            Optional<Event> event = store.event(work.queue().organization(), delivery.eventId());
            if (event.isEmpty()) {
                return new DeliveryOutcome(new DeliveredResult(delivery, DeliveryState.FAILED, null, false), null);
            }
            return send(work, delivery, event.get(), signing, speed);
        } finally {
            large.release(size);
        }
    }

    private DeliveryOutcome send(
            DeliveryBatch work,
            PendingDelivery delivery,
            Event event,
            List<SigningSecret> signing,
            ReceiverSpeedListener speed)
            throws InterruptedException {
        byte[] payload = event.payload().getBytes(StandardCharsets.UTF_8);
        AttemptResult result =
                call.send(work.url().orElseThrow(), signing, event.id(), payload, delivery.attempts() + 1);
        speed.measured(result.attempt().durationMs() > SLOW_THRESHOLD.toMillis());
        Instant now = clock.instant();
        DeliveryStep step = RetrySchedule.after(
                result.response(),
                delivery.tries() + 1,
                Duration.between(delivery.queuedAt(), now),
                ThreadLocalRandom.current().nextDouble());
        boolean callback = determinesMessageStatus(work, delivery);
        return switch (step) {
            case DeliveryStep.Delivered() ->
                new DeliveryOutcome(
                        new DeliveredResult(delivery.with(event), DeliveryState.DELIVERED, result.attempt(), callback),
                        work.isReplay(delivery) ? new QueueChange.Reactivate(work.lastSequence()) : null);
            case DeliveryStep.RetryDelivery(Duration after) ->
                new DeliveryOutcome(
                        new DeliveredResult(delivery, DeliveryState.PENDING, result.attempt(), false),
                        new QueueChange.Pause(now.plus(after)));
            case DeliveryStep.GivenUp() ->
                new DeliveryOutcome(
                        new DeliveredResult(delivery.with(event), DeliveryState.FAILED, result.attempt(), callback),
                        null);
            case DeliveryStep.ReceiverGone() ->
                new DeliveryOutcome(
                        new DeliveredResult(delivery.with(event), DeliveryState.FAILED, result.attempt(), callback),
                        work.isCallback() && work.isReplay(delivery) ? null : new QueueChange.QueueGone());
        };
    }

    /** Whether this delivery determines the status of its message: only its callback's does, and not a replay. */
    private static boolean determinesMessageStatus(DeliveryBatch work, PendingDelivery delivery) {
        return work.isCallback() && !work.isReplay(delivery);
    }

    private CompletableFuture<WrittenResult> submit(
            DeliveryBatch work, @Nullable DeliveredResult result, QueueChange change) {
        return reports.submit(new DeliveryResult(work.queue(), work.owner(), Optional.ofNullable(result), change));
    }

    /** Waits for the commit; true if the queue continues. */
    private boolean awaitCommit(DeliveryBatch work, CompletableFuture<WrittenResult> written)
            throws InterruptedException {
        try {
            return switch (written.get(WRITE_SECONDS, TimeUnit.SECONDS)) {
                case DONE -> true;
                case CLOSED -> false;
                case FENCED -> {
                    node.fenced(work.owner());
                    yield false;
                }
            };
        } catch (ExecutionException | TimeoutException e) {
            throw new CompletionException(e);
        }
    }
}
