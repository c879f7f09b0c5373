package dev.parley.mail;

/** The state of a mail in the outbox. */
public enum MailState {
    /** Held because no SMTP server is configured; sent if one is configured within three days. */
    KEPT,
    /** Waiting for its first or next attempt. */
    PENDING,
    /** A node is about to send it. */
    SENDING,
    /** The server accepted it. */
    SENT,
    /** The server rejected it permanently or too often, or its address is invalid. */
    FAILED,
    /**
     * The connection or the node was lost before the server's final response. Not sent again, because it may have been
     * sent.
     */
    UNCERTAIN;

    /** Whether the state is final. */
    public boolean isFinal() {
        return this == SENT || this == FAILED || this == UNCERTAIN;
    }
}
