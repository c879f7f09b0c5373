package dev.parley.usage;

import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An organization's usage in a period: totals, and a series for charts.
 *
 * @param total over the whole period
 * @param previous over the period before, of the same length
 * @param series without gaps, oldest first
 * @param workflows those with the most ended runs
 */
@Schema(name = "Usage")
public record UsageSummary(
        @Schema(description = "hour or day", examples = "hour")
        String step,

        UsageNumbers total,

        @Schema(description = "The totals of the period of the same length before")
        UsageNumbers previous,

        @Schema(description = "Oldest first, without gaps") List<Bucket> series,

        @Schema(description = "At most ten, those with the most ended runs first")
        List<UsageOfWorkflow> workflows) {

    /** The counts of one hour or day. */
    @Schema(name = "UsageBucket")
    public record Bucket(Instant from, UsageNumbers numbers) {}

    /** Counts, tokens, cost and durations of a period. */
    @Schema(name = "UsageNumbers")
    public record UsageNumbers(
            @Schema(description = "Messages of clients and users")
            long messagesReceived,

            @Schema(description = "Replies and notices of the service")
            long messagesSent,

            long runsCompleted,
            long runsFailed,
            long runsCancelled,
            long runsTerminated,
            long inputTokens,
            long outputTokens,

            @Schema(description = "Millionths of the currency of the price settings")
            long costMicros,

            @Schema(
                    description = "Median duration of finished runs, accurate to about 5%; null without a run",
                    nullable = true)
            @Nullable
            Long medianRunMillis,

            @Schema(description = "95th percentile of the durations of finished runs", nullable = true) @Nullable
            Long p95RunMillis) {}
}
