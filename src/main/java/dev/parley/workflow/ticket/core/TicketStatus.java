package dev.parley.workflow.ticket.core;

/** Where a ticket stands; it follows the status of its task instance. */
public enum TicketStatus {
    /** The task waits, and nobody has taken the ticket. */
    OPEN,
    /** The task waits, and somebody has claimed the ticket. */
    IN_PROGRESS,
    /** The task was completed, also by IGNORE after a rejection; or a person retries it. */
    RESOLVED,
    /** A person rejected it or raised the exception, and the task failed. */
    REJECTED,
    /** The task was skipped or cancelled, or RETRY opened another ticket after a rejection. */
    CLOSED;

    /** Whether a person can still act on it; what has ended never opens again. */
    public boolean isOpen() {
        return this == OPEN || this == IN_PROGRESS;
    }
}
