package dev.parley.webhook;

import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** How the latest deliveries of an endpoint went. */
@Schema(name = "WebhookEndpointActivity")
public record EndpointActivity(
        @Schema(description = "Number of the latest deliveries that are counted, at most 100", examples = "100")
        int deliveries,

        @Schema(description = "How many of them the receiver accepted", examples = "97")
        int delivered,

        @Schema(description = "How many of them wait for another attempt", examples = "1")
        int retrying,

        @Schema(description = "How many of them wait for their first attempt", examples = "2")
        int pending,

        @Schema(
                description =
                        "When the endpoint last refused one of these deliveries, or one of the last 30 days was given up",
                nullable = true)
        @Nullable
        Instant lastFailedAt) {
    /** The number of deliveries that are counted. */
    static final int DELIVERIES = 100;
}
