package dev.parley.webhook;

import dev.parley.event.EventType;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.WebhookDeliveryId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.webhook.run.DeliveryState;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of one event to one receiver, as the dashboard shows it.
 *
 * @param nextAttemptAt the next attempt, or that of the delivery before it, which it waits for; null if it waits for
 *     neither
 */
@Schema(name = "WebhookDelivery")
public record WebhookDelivery(
        WebhookDeliveryId id,
        EventId eventId,

        @Schema(
                description = "The webhook-id header, the same for every attempt",
                examples = "evt_0192f0c1a2b37c4d8e5f60718293a4b5")
        String webhookId,

        EventType type,

        @Schema(description = "The event's sequence number in its conversation")
        long sequence,

        @Nullable ConversationId conversationId,

        @Schema(description = "null for the callback of the conversation") @Nullable
        WebhookEndpointId endpointId,

        @Schema(description = "null if the endpoint or conversation no longer exists") @Nullable
        String url,

        DeliveryState state,
        @Schema(description = "Number of attempts") int attemptCount,

        @Schema(description = "The status of the last attempt; null without a response") @Nullable
        Integer lastStatus,

        @Schema(description = "Why the last attempt got no complete response") @Nullable
        String lastError,

        Instant createdAt,
        @Nullable Instant nextAttemptAt,

        @Schema(
                description =
                        "The earlier delivery of the same conversation or instance that must be accepted or given up"
                                + " before this one is sent")
        @Nullable
        WebhookDeliveryId blockedBy,

        @Nullable Instant finishedAt) {}
