package dev.parley.webhook;

import dev.parley.id.NodeId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What became of a lane's work, to be written down. */
record DeliveryResult(DeliveryQueue lane, NodeId owner, Optional<DeliveredResult> result, QueueChange change) {
    /**
     * What became of a delivery.
     *
     * @param attempt null when it was not sent
     * @param toCallback whether the status of its message follows it
     */
    record DeliveredResult(
            PendingDelivery delivery,
            DeliveryState state,
            @Nullable DeliveryAttempt attempt,
            boolean toCallback) {}

    /** What becomes of the lane. */
    sealed interface QueueChange {
        /** It goes on. */
        record NoChange() implements QueueChange {}

        /** Its first delivery waits. */
        record Pause(Instant until) implements QueueChange {}

        /** It is done, unless something was queued after this. */
        record Close(long lastSequence) implements QueueChange {}

        /** The receiver answered 410. */
        record QueueGone() implements QueueChange {}

        /** A replayed delivery was taken by a callback that had answered 410 before. */
        record Back(long lastSequence) implements QueueChange {}
    }

    /** What the writing found. */
    enum WrittenResult {
        DONE,
        /** The lane is closed. */
        CLOSED,
        /** The node was fenced; nothing was written. */
        FENCED
    }
}
