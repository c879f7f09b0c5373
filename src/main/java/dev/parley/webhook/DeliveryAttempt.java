package dev.parley.webhook;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a delivery.
 *
 * @param status the response's status; null without a complete response
 * @param response the first KiB of the response's body
 * @param error why there is no complete response, as a sentence
 */
record DeliveryAttempt(
        int number,
        Instant at,
        int durationMs,
        @Nullable Integer status,
        @Nullable String response,
        @Nullable String error) {}
