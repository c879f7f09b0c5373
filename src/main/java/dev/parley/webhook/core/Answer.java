package dev.parley.webhook.core;

import java.time.Duration;
import java.util.Optional;

/** What came of one attempt. */
public sealed interface Answer {
    /** The receiver answered with a status, and perhaps asks for a pause. */
    record Status(int code, Optional<Duration> retryAfter) implements Answer {}

    /** There was no complete answer: refused, cut, or not within its time. */
    record None() implements Answer {}
}
