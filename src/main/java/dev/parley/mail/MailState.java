package dev.parley.mail;

/** Where a mail of the outbox stands. */
public enum MailState {
    /** No SMTP server is set, so it only lies here; one that is set within three days sends it. */
    KEPT,
    /** Waits for its first attempt or for the next. */
    PENDING,
    /** A node is about to hand it to the server. */
    SENDING,
    /** The server took it. */
    SENT,
    /** The server refused it for good, or too often, or its address cannot be one. */
    FAILED,
    /** The connection or the node was lost before the server's last answer; not sent again, since it may have gone. */
    UNCERTAIN;

    /** Whether nothing more happens to it. */
    public boolean isOver() {
        return this == SENT || this == FAILED || this == UNCERTAIN;
    }
}
