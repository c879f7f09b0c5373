package dev.parley.workflow.ticket.core;

/** The way in which the engine ends a ticket, with the ticket's final status. */
public enum TicketEnd {
    /** A person submitted the form. */
    COMPLETED(TicketStatus.RESOLVED),
    /** A person approved a tool call. */
    CALL_APPROVED(TicketStatus.RESOLVED),
    /** A person rejected a tool call, and the model gets the reason. */
    CALL_REJECTED(TicketStatus.REJECTED),
    /** A person retried the task that failed. */
    RETRIED(TicketStatus.RESOLVED),
    /** A person rejected it, which fails the task. */
    REJECTED(TicketStatus.REJECTED),
    /** A person rejected it, and {@code error_policy} IGNORE completes the task. */
    REJECTION_IGNORED(TicketStatus.RESOLVED),
    /** A person rejected it, and {@code error_policy} RETRY opens a new ticket. */
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
