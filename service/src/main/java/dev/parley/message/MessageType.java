package dev.parley.message;

/** The type of a message. */
public enum MessageType {
    /** Sent by a user. */
    USER_INPUT,
    /** A reply of the service, or the output of a workflow. */
    AGENT_RESPONSE,
    /** A question of a workflow to the user. */
    INPUT_REQUEST,
    /** A person completed a ticket. */
    HUMAN_RESPONSE,
    /** A notice of the service, such as an error. */
    SYSTEM
}
