package dev.parley.webhook;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.event.EventType;
import dev.parley.id.WebhookEndpointId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A URL that receives events of all conversations and instances of an organization. The secret is never included. */
@Schema(name = "WebhookEndpoint")
public record WebhookEndpoint(
        WebhookEndpointId id,
        @Schema(examples = "https://example.com/hooks") String url,
        String description,
        List<EventType> eventTypes,
        boolean enabled,

        @Schema(description = "Why the service disabled it; null otherwise") @Nullable
        String disabledReason,

        @Schema(description = "Whether the endpoint has its own secret instead of the organization's")
        boolean ownSecret,

        @Schema(description = "When the endpoint's previous secret expires") @Nullable
        Instant previousSecretExpiresAt,

        String createdBy,
        Instant createdAt,
        Instant updatedAt,

        @Schema(description = "Who changed it last; system if the service disabled it")
        String updatedBy,

        @JsonIgnore int revision) {
    public WebhookEndpoint {
        eventTypes = eventTypes.stream().filter(Objects::nonNull).toList(); // Null: a later version's.
    }
}
