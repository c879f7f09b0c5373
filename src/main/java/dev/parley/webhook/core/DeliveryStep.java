package dev.parley.webhook.core;

import java.time.Duration;

/** What follows from an attempt. */
public sealed interface DeliveryStep {
    /** The receiver took the event. */
    record Delivered() implements DeliveryStep {}

    /** The same event is sent again after this time. */
    record RetryDelivery(Duration after) implements DeliveryStep {}

    /** The event is not sent any more; the next one has its turn. */
    record GivenUp() implements DeliveryStep {}

    /** The receiver wants nothing any more. */
    record ReceiverGone() implements DeliveryStep {}
}
