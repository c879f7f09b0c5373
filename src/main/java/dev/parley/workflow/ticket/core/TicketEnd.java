package dev.parley.workflow.ticket.core;

/** How the engine ends a ticket, with the status that the ticket gets. */
public enum TicketEnd {
    /** A person filled in the form. */
    COMPLETED(TicketStatus.RESOLVED),
    /** A person retries the task that failed. */
    RETRIED(TicketStatus.RESOLVED),
    /** A person rejected it, which fails the task. */
    REJECTED(TicketStatus.REJECTED),
    /** A person rejected it, and {@code error_policy} IGNORE completes the task. */
    REJECTION_IGNORED(TicketStatus.RESOLVED),
    /** A person rejected it, and {@code error_policy} RETRY opens another ticket in its place. */
    REPLACED(TicketStatus.CLOSED),
    /** The instance ended before a person acted. */
    CANCELLED(TicketStatus.CLOSED);

    private final TicketStatus status;

    TicketEnd(TicketStatus status) {
        this.status = status;
    }

    public TicketStatus status() {
        return status;
    }
}
