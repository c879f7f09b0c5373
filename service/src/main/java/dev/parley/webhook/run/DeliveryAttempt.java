package dev.parley.webhook.run;

import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** One attempt of a delivery. */
public record DeliveryAttempt(
        int number,
        Instant at,
        int durationMs,

        @Schema(description = "null without a complete response") @Nullable
        Integer status,

        @Schema(description = "The first KiB of the response body") @Nullable
        String response,

        @Schema(description = "Why there was no complete response") @Nullable
        String error) {}
