package dev.parley.webhook;

/** Where a delivery stands. */
public enum DeliveryState {
    /** It waits for its turn or for its next attempt. */
    PENDING,
    /** The receiver answered 2xx. */
    DELIVERED,
    /** It was given up after its attempts, or the receiver answered 410. */
    FAILED,
    /** Its endpoint was disabled or deleted before its turn. */
    CANCELLED
}
