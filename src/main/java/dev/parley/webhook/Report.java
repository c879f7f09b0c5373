package dev.parley.webhook;

import dev.parley.id.NodeId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What became of a lane's work, to be written down. */
record Report(Lane lane, NodeId owner, Optional<Result> result, Change change) {
    /**
     * What became of a delivery.
     *
     * @param attempt null when it was not sent
     * @param toCallback whether the status of its message follows it
     */
    record Result(
            Pending delivery, DeliveryState state, @Nullable Attempt attempt, boolean toCallback) {}

    /** What becomes of the lane. */
    sealed interface Change {
        /** It goes on. */
        record None() implements Change {}

        /** Its first delivery waits. */
        record Pause(Instant until) implements Change {}

        /** It is done, unless something was queued after this. */
        record Close(long lastSequence) implements Change {}

        /** The receiver answered 410. */
        record Gone() implements Change {}

        /** A replayed delivery was taken by a callback that had answered 410 before. */
        record Back(long lastSequence) implements Change {}
    }

    /** What the writing found. */
    enum Written {
        DONE,
        /** The lane is closed. */
        CLOSED,
        /** The node was fenced; nothing was written. */
        FENCED
    }
}
