package dev.parley.webhook;

/** The state of a delivery. */
public enum DeliveryState {
    /** It waits for the previous delivery or for its next attempt. */
    PENDING,
    /** The receiver returned 2xx. */
    DELIVERED,
    /** It was given up after its attempts, or the receiver returned 410. */
    FAILED,
    /** Its endpoint was disabled or deleted before it was sent. */
    CANCELLED
}
