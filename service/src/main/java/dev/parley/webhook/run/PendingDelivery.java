package dev.parley.webhook.run;

import dev.parley.event.Event;
import dev.parley.id.EventId;
import dev.parley.id.WebhookDeliveryId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that is due.
 *
 * @param attempts all so far
 * @param tries those since it was queued or replayed, which the schedule counts
 * @param event null if it was deleted, or is too large to be read in advance
 * @param eventSize characters of the event's data; 0 if it was deleted
 */
record PendingDelivery(
        WebhookDeliveryId id,
        EventId eventId,
        long sequence,
        int attempts,
        int tries,
        Instant queuedAt,
        int eventSize,
        @Nullable Event event) {}
