package dev.parley.webhook;

import dev.parley.event.Event;
import dev.parley.id.EventId;
import dev.parley.id.WebhookDeliveryId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A delivery whose turn it is.
 *
 * @param attempts all so far
 * @param tries those since it was queued or replayed, which the schedule counts
 * @param event null when it is not kept any more, or too large to be read before its turn
 * @param eventSize characters of the event's data; 0 when it is not kept
 */
record PendingDelivery(
        WebhookDeliveryId id,
        EventId eventId,
        long sequence,
        int attempts,
        int tries,
        Instant queuedAt,
        int eventSize,
        @Nullable Event event) {
    PendingDelivery with(Event read) {
        return new PendingDelivery(id, eventId, sequence, attempts, tries, queuedAt, eventSize, read);
    }
}
