package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies the delivery of one event to one receiver. */
public record WebhookDeliveryId(UUID value) implements Id {
    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<WebhookDeliveryId> parse(String text) {
        return UuidV7.parse(text).map(WebhookDeliveryId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
