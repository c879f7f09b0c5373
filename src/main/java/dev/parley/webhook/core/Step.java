package dev.parley.webhook.core;

import java.time.Duration;

/** What follows from an attempt. */
public sealed interface Step {
    /** The receiver took the event. */
    record Delivered() implements Step {}

    /** The same event is sent again after this time. */
    record Retry(Duration after) implements Step {}

    /** The event is not sent any more; the next one has its turn. */
    record GivenUp() implements Step {}

    /** The receiver wants nothing any more. */
    record Gone() implements Step {}
}
