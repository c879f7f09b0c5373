package dev.parley.webhook.core;

import java.time.Duration;
import java.util.Optional;

/** What came of one attempt. */
public sealed interface ReceiverResponse {
    /** The receiver answered with a status, and perhaps asks for a pause. */
    record StatusResponse(int code, Optional<Duration> retryAfter) implements ReceiverResponse {}

    /** There was no complete answer: refused, cut, or not within its time. */
    record NoResponse() implements ReceiverResponse {}
}
