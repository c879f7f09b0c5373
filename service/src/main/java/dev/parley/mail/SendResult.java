package dev.parley.mail;

/** The result of an attempt to send a mail. */
sealed interface SendResult {
    /** The server accepted it. */
    record Sent() implements SendResult {}

    /** The server rejected the recipient or the mail permanently (5xx). */
    record SendRejected(String response) implements SendResult {}

    /** Temporarily rejected (4xx), or the connection was lost before the mail was complete: not sent. */
    record Deferred(String reason) implements SendResult {}

    /** The server is unreachable or rejected the credentials: other mails would fail too. */
    record Unreachable(String reason) implements SendResult {}

    /** The mail was complete, and the response was lost. */
    record Uncertain(String reason) implements SendResult {}

    /** This node lost its lease, and another one may have the mail, so this node did not send it. */
    record LeaseLost() implements SendResult {}
}
