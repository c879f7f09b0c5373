package dev.parley.webhook.core;

import java.time.Duration;
import java.util.Optional;

/** The result of one attempt. */
public sealed interface ReceiverResponse {
    /** The receiver responded with a status, and possibly requested a delay. */
    record StatusResponse(int code, Optional<Duration> retryAfter) implements ReceiverResponse {}

    /** There was no complete response: refused, aborted, or timed out. */
    record NoResponse() implements ReceiverResponse {}
}
