package dev.parley.webhook;

import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The attempts to deliver to an endpoint within an interval. */
@Schema(name = "WebhookAttemptCounts")
public record AttemptCounts(
        @Schema(description = "Start of the interval") Instant from,

        @Schema(description = "Attempts that the receiver accepted", examples = "97")
        int succeeded,

        @Schema(description = "Attempts that failed", examples = "2")
        int failed,

        @Schema(description = "Median response time in milliseconds", examples = "120")
        int medianMs) {
    /** The newest deliveries that are counted. */
    static final int DELIVERIES = 10_000;
}
