package dev.parley.message;

/** How far a message has come: RECEIVED → PROCESSING → DELIVERED or FAILED (specification 3.2; DECISIONS 2). */
public enum MessageStatus {
    RECEIVED,
    PROCESSING,
    DELIVERED,
    FAILED
}
