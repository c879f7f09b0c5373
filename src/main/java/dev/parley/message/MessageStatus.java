package dev.parley.message;

/** How far a message has come: RECEIVED → PROCESSING → DELIVERED or FAILED. */
public enum MessageStatus {
    RECEIVED,
    PROCESSING,
    DELIVERED,
    FAILED
}
