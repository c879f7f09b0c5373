package dev.parley.mail;

/** What became of an attempt to send a mail. */
sealed interface SendResult {
    /** The server took it. */
    record Sent() implements SendResult {}

    /** The server refused the recipient or the mail for good (5xx). */
    record SendRejected(String answer) implements SendResult {}

    /** Not taken for now (4xx), or the connection was lost before the mail was complete: certainly not sent. */
    record Later(String reason) implements SendResult {}

    /** The server could not be reached, or does not let us in: other mails would fare alike. */
    record Unreachable(String reason) implements SendResult {}

    /** The mail was complete, and the answer was lost. */
    record Uncertain(String reason) implements SendResult {}

    /** Another node has the mail since the lease ran out, so that it was not sent here. */
    record UncertainDelivery() implements SendResult {}
}
