package dev.parley.message;

/** What a message is. */
public enum MessageType {
    /** From a user. */
    USER_INPUT,
    /** A reply of the service, or the output of a workflow. */
    AGENT_RESPONSE,
    /** The workflow asks the user. */
    INPUT_REQUEST,
    /** A person completed a ticket. */
    HUMAN_RESPONSE,
    /** A notice of the service, such as a failure. */
    SYSTEM
}
