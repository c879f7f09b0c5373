package dev.parley.webhook.run;

import dev.parley.db.BackgroundThrottle;
import dev.parley.db.Database;
import dev.parley.event.Event;
import dev.parley.event.EventStore;
import dev.parley.id.NodeId;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.ServiceSize;
import dev.parley.trace.SpanAttributes;
import dev.parley.trace.TraceSpan;
import dev.parley.trace.Tracing;
import dev.parley.webhook.core.DeliveryStep;
import dev.parley.webhook.core.ReceiverResponse;
import dev.parley.webhook.core.RetrySchedule;
import dev.parley.webhook.run.DeliveryResult.DeliveredResult;
import dev.parley.webhook.run.DeliveryResult.QueueChange;
import dev.parley.webhook.run.DeliveryResult.WrittenResult;
import dev.parley.webhook.run.WebhookCall.AttemptResult;
import dev.parley.work.LeasedWork;
import dev.parley.work.NextRun;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Processes one run of a queue: sends its deliveries in order until one must wait, none is left, or the run has lasted
 * long enough. The next delivery is sent while the previous result is being stored.
 */
@Singleton
public final class DeliveryWorker {
    private static final Duration RUN_TIME = Duration.ofSeconds(1);
    private static final Duration SLOW_THRESHOLD = Duration.ofSeconds(1);
    private static final Duration BUSY_THRESHOLD = Duration.ofMillis(20);
    private static final Duration DATABASE_TIMEOUT = Duration.ofSeconds(30);

    /** The limit of a node for characters of large events in the smallest heap. */
    private static final int LARGE_EVENTS = 24 << 20;

    private final DeliveryQueueStore store;
    private final WebhookCall call;
    private final EventStore events;
    private final DeliveryResultWriter writer;
    private final Clock clock;
    private final int largeEvents;
    private final Semaphore large;

    public DeliveryWorker(
            DeliveryQueueStore store,
            WebhookCall call,
            Database database,
            DeliveryResultWriter writer,
            Clock clock,
            ServiceSize size) {
        this.largeEvents = size.byHeap(LARGE_EVENTS);
        this.large = new Semaphore(largeEvents);
        this.store = store;
        this.call = call;
        this.events = database.statements(EventStore.class);
        this.writer = writer;
        this.clock = clock;
    }

    /** @param budget already charged with the first delivery */
    NextRun run(DeliveryQueue queue, NodeId owner, LeasedWork<?, ?> work, BackgroundThrottle.Budget budget)
            throws InterruptedException {
        Optional<DeliveryBatch> read = await(store.next(queue));
        if (read.isEmpty()) {
            return NextRun.NEVER; // Closed or paused.
        }
        DeliveryBatch batch = read.get();
        if (!batch.owner().equals(owner)) {
            return NextRun.FENCED;
        }
        if (batch.pending().isEmpty()) {
            return close(batch);
        }
        long end = System.nanoTime() + RUN_TIME.toNanos();
        CompletableFuture<WrittenResult> written = CompletableFuture.completedFuture(WrittenResult.DONE);
        for (int i = 0; i < batch.pending().size(); i++) {
            boolean last = i == batch.pending().size() - 1;
            budget.charge(i == 0 ? 0 : 1);
            DeliveryOutcome outcome = one(batch, batch.pending().get(i), work);
            QueueChange change = outcome.change != null
                    ? outcome.change
                    : last && batch.isAll() ? new QueueChange.Close(batch.lastSequence()) : new QueueChange.NoChange();
            written = submit(batch, outcome.result, change);
            if (change instanceof QueueChange.Pause) {
                return await(written) == WrittenResult.FENCED ? NextRun.FENCED : NextRun.NEVER;
            }
            if (change instanceof QueueChange.QueueGone || work.isStopping() || System.nanoTime() - end > 0) {
                break;
            }
        }
        return afterCommit(written);
    }

    /** Closes a finished queue. Not possible while events are being added, and retried then. */
    private NextRun close(DeliveryBatch batch) throws InterruptedException {
        NextRun next = afterCommit(submit(batch, null, new QueueChange.Close(batch.lastSequence())));
        if (next == NextRun.NOW) {
            LockSupport.parkNanos(BUSY_THRESHOLD.toNanos());
        }
        return next;
    }

    /** @param change null if the queue continues */
    private record DeliveryOutcome(
            DeliveredResult result, @Nullable QueueChange change) {}

    private DeliveryOutcome one(DeliveryBatch batch, PendingDelivery delivery, LeasedWork<?, ?> work)
            throws InterruptedException {
        if (batch.url().isEmpty()) {
            DeliveryState state = batch.receiverGone() ? DeliveryState.FAILED : DeliveryState.CANCELLED;
            return new DeliveryOutcome(
                    new DeliveredResult(delivery, state, null, false, callbackEvent(batch, delivery, delivery.event())),
                    null);
        }
        if (delivery.event() != null) {
            return send(batch, delivery, delivery.event(), work);
        }
        int size = Math.min(delivery.eventSize(), largeEvents);
        large.acquire(size);
        try {
            Optional<Event> event = events.find(batch.queue().organization(), delivery.eventId());
            if (event.isEmpty()) {
                return new DeliveryOutcome(
                        new DeliveredResult(delivery, DeliveryState.FAILED, null, false, null), null);
            }
            return send(batch, delivery, event.get(), work);
        } finally {
            large.release(size);
        }
    }

    private DeliveryOutcome send(DeliveryBatch batch, PendingDelivery delivery, Event event, LeasedWork<?, ?> work)
            throws InterruptedException {
        byte[] payload = event.payload().getBytes(StandardCharsets.UTF_8);
        AttemptResult result = call(batch, delivery, event, payload);
        work.setSlow(batch.receiver(), result.attempt().durationMs() > SLOW_THRESHOLD.toMillis());
        Instant now = clock.instant();
        Duration age = Duration.between(delivery.queuedAt(), now);
        Optional<Instant> planned = batch.plannedAfter(delivery, now);
        DeliveryStep step = planned.map(
                        at -> RetrySchedule.afterManualRetry(result.response(), age, Duration.between(now, at)))
                .orElseGet(() -> RetrySchedule.after(
                        result.response(),
                        delivery.tries() + 1,
                        age,
                        ThreadLocalRandom.current().nextDouble()));
        DeliveryState state =
                switch (step) {
                    case DeliveryStep.Delivered() -> DeliveryState.DELIVERED;
                    case DeliveryStep.RetryDelivery(var _) -> DeliveryState.PENDING;
                    case DeliveryStep.GivenUp(), DeliveryStep.ReceiverGone() -> DeliveryState.FAILED;
                };
        QueueChange change =
                switch (step) {
                    case DeliveryStep.Delivered() ->
                        batch.isReplay(delivery) ? new QueueChange.Reactivate(batch.lastSequence()) : null;
                    case DeliveryStep.RetryDelivery(Duration after) -> new QueueChange.Pause(now.plus(after));
                    case DeliveryStep.GivenUp() -> null;
                    case DeliveryStep.ReceiverGone() ->
                        batch.isCallback() && batch.isReplay(delivery) ? null : new QueueChange.QueueGone();
                };
        boolean ended = state != DeliveryState.PENDING;
        return new DeliveryOutcome(
                new DeliveredResult(
                        delivery,
                        state,
                        result.attempt(),
                        planned.isEmpty(),
                        ended ? callbackEvent(batch, delivery, event) : null),
                change);
    }

    private AttemptResult call(DeliveryBatch batch, PendingDelivery delivery, Event event, byte[] payload)
            throws InterruptedException {
        try (TraceSpan span = Tracing.client("webhook", event.type().text(), event.trace())) {
            int number = delivery.attempts() + 1;
            AttemptResult result = call.send(batch.url().orElseThrow(), batch.secrets(), event.id(), payload, number);
            if (span.isRecorded()) {
                span.set(batch.queue().organization())
                        .set(SpanAttributes.EVENT, event.id().text())
                        .set(SpanAttributes.EVENT_TYPE, event.type().text())
                        .set(SpanAttributes.DELIVERY_ATTEMPT, number)
                        .set(SpanAttributes.RECEIVER, batch.receiver().name());
                switch (result.response()) {
                    case ReceiverResponse.NoResponse() -> span.fail("no_response");
                    case ReceiverResponse.StatusResponse(int status, var _) -> {
                        span.set(SpanAttributes.RESPONSE_STATUS, status);
                        if (status < 200 || status > 299) {
                            span.fail(Integer.toString(status));
                        }
                    }
                }
            }
            return result;
        }
    }

    /** The event if this delivery determines the status of its message: only its callback's does, and not a replay. */
    private static @Nullable Event callbackEvent(DeliveryBatch batch, PendingDelivery delivery, @Nullable Event event) {
        return batch.isCallback() && !batch.isReplay(delivery) ? event : null;
    }

    private CompletableFuture<WrittenResult> submit(
            DeliveryBatch batch, @Nullable DeliveredResult result, QueueChange change) {
        return writer.submit(new DeliveryResult(batch.queue(), batch.owner(), Optional.ofNullable(result), change));
    }

    private static NextRun afterCommit(CompletableFuture<WrittenResult> written) throws InterruptedException {
        return switch (await(written)) {
            case DONE -> NextRun.NOW;
            case CLOSED -> NextRun.NEVER;
            case FENCED -> NextRun.FENCED;
        };
    }

    private static <T> T await(CompletableFuture<T> statement) throws InterruptedException {
        try {
            return statement.get(DATABASE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException _) {
            throw ApiProblem.unavailable("The database does not respond.", DATABASE_TIMEOUT);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new CompletionException(e);
        }
    }
}
