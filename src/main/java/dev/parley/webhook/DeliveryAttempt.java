package dev.parley.webhook;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One try of a delivery.
 *
 * @param status what the receiver answered; null without a complete answer
 * @param response the first KiB of the answer's body
 * @param error why there is no complete answer, as a sentence
 */
record DeliveryAttempt(
        int number,
        Instant at,
        int durationMs,
        @Nullable Integer status,
        @Nullable String response,
        @Nullable String error) {}
