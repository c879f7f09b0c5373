package dev.parley.workflow.ticket.core;

/** The status of a ticket; it follows the status of its task instance. */
public enum TicketStatus {
    /** The task waits, and the ticket is unclaimed. */
    OPEN,
    /** The task waits, and a person has claimed the ticket. */
    IN_PROGRESS,
    /** The task completed, also by IGNORE after a rejection, or a person retried it. */
    RESOLVED,
    /** A person rejected it or raised the exception, and the task failed. */
    REJECTED,
    /** The task was skipped or cancelled, or RETRY opened another ticket after a rejection. */
    CLOSED;

    /** Whether a person can still answer it; an ended ticket never reopens. */
    public boolean isOpen() {
        return this == OPEN || this == IN_PROGRESS;
    }
}
