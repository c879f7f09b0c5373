package dev.parley.webhook.core;

import java.time.Duration;

/** The next step after an attempt. */
public sealed interface DeliveryStep {
    /** The receiver accepted the event. */
    record Delivered() implements DeliveryStep {}

    /** The same event is sent again after this delay. */
    record RetryDelivery(Duration after) implements DeliveryStep {}

    /** The event is not sent any more; the next one follows. */
    record GivenUp() implements DeliveryStep {}

    /** The receiver wants no more events (410). */
    record ReceiverGone() implements DeliveryStep {}
}
