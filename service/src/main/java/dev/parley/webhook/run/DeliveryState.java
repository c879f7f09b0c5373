package dev.parley.webhook.run;

/** The state of a delivery. */
public enum DeliveryState {
    /** It waits for its first attempt since it was queued. */
    PENDING,
    /** An attempt failed, and it waits for the next one. Stored as PENDING with tries. */
    RETRYING,
    /** The receiver returned 2xx. */
    DELIVERED,
    /** It was given up after its attempts, or the receiver returned 410. */
    FAILED,
    /** Its endpoint was disabled or deleted before it was sent. */
    CANCELLED
}
