package dev.parley.message;

/** The status of a message: RECEIVED → PROCESSING → DELIVERED or FAILED. */
public enum MessageStatus {
    RECEIVED,
    PROCESSING,
    DELIVERED,
    FAILED
}
