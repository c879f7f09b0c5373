package dev.parley.webhook.run;

import dev.parley.event.Event;
import dev.parley.id.NodeId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of one delivery and the change of its queue, to be stored. */
record DeliveryResult(DeliveryQueue queue, NodeId owner, Optional<DeliveredResult> result, QueueChange change) {
    /**
     * The result of a delivery.
     *
     * @param attempt null if it was not sent
     * @param counts whether the attempt counts in the retry schedule; a manual retry does not
     * @param callbackEvent the event whose message gets its status from this result; null if none does
     */
    record DeliveredResult(
            PendingDelivery delivery,
            DeliveryState state,
            @Nullable DeliveryAttempt attempt,
            boolean counts,
            @Nullable Event callbackEvent) {}

    /** The change of the queue. */
    sealed interface QueueChange {
        /** The queue continues. */
        record NoChange() implements QueueChange {}

        /** Its first delivery waits. */
        record Pause(Instant until) implements QueueChange {}

        /** The queue is finished, unless something was queued after this sequence. */
        record Close(long lastSequence) implements QueueChange {}

        /** The receiver returned 410. */
        record QueueGone() implements QueueChange {}

        /** A callback that had returned 410 before accepted a replayed delivery. */
        record Reactivate(long lastSequence) implements QueueChange {}
    }

    /** The outcome of storing the result. */
    enum WrittenResult {
        DONE,
        /** The queue is closed. */
        CLOSED,
        /** The node was fenced; nothing was written. */
        FENCED
    }
}
