package dev.parley.workflow.ticket.core;

/** What a person does with a ticket. */
public enum TicketStep {
    CLAIM,
    RELEASE,
    /** Give it to another person or team; whoever claimed it loses it. */
    REASSIGN,
    COMMENT,
    /** Complete, reject or retry; the instance's engine ends the ticket then. */
    ANSWER
}
