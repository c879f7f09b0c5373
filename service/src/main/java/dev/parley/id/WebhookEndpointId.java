package dev.parley.id;

import java.util.Optional;
import java.util.UUID;

/** Identifies a webhook endpoint of an organization. */
public record WebhookEndpointId(UUID value) implements Id {
    public static WebhookEndpointId next() {
        return new WebhookEndpointId(UuidV7.next());
    }

    /** Reads an id with or without hyphens; anything else is empty. */
    public static Optional<WebhookEndpointId> parse(String text) {
        return UuidV7.parse(text).map(WebhookEndpointId::new);
    }

    @Override
    public String toString() {
        return text();
    }
}
