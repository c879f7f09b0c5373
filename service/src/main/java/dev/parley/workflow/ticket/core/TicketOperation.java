package dev.parley.workflow.ticket.core;

/** An operation of a person on a ticket. */
public enum TicketOperation {
    CLAIM,
    /** Claim it although another person has claimed it. */
    TAKE_OVER,
    RELEASE,
    /** Assign it to another person or team; this removes the claim. */
    REASSIGN,
    /** Also allowed after the end. */
    COMMENT,
    /** Complete, reject or retry; the instance's engine then ends the ticket. */
    ANSWER
}
