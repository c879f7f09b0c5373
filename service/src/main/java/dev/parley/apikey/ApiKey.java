package dev.parley.apikey;

import dev.parley.id.ApiKeyId;
import dev.parley.id.WorkflowId;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A key in a list, without the key itself. */
@Schema(name = "ApiKey")
public record ApiKey(
        ApiKeyId id,
        @Schema(examples = "Billing integration") String name,

        @Schema(description = "The key's first characters", examples = "sk-8Xa2")
        String prefix,

        @Schema(description = "The key's last characters", examples = "0Bq1")
        String lastFour,

        @Schema(description = "Restricts the key to the conversations of this team", nullable = true) @Nullable
        Integer teamId,

        @Schema(description = "Restricts the key to this workflow", nullable = true) @Nullable
        WorkflowId workflowId,

        @Schema(description = "The key expires at this time", nullable = true) @Nullable
        Instant expiresAt,

        @Schema(description = "Updated at most once a minute", nullable = true) @Nullable
        Instant lastUsedAt,

        @Schema(examples = "user:0192f0c1a2b37c4d8e5f60718293a4b5")
        String createdBy,

        Instant createdAt,
        @Schema(nullable = true) @Nullable Instant revokedAt,

        @Schema(description = "The key that replaced this one when it was rolled", nullable = true) @Nullable
        ApiKeyId replacedBy) {
    /** Whether it authenticates requests, unless its team was deleted. */
    boolean isActive(Instant now) {
        return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt));
    }
}
