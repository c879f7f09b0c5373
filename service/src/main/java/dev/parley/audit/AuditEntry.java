package dev.parley.audit;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.id.AuditEntryId;
import dev.parley.id.UserId;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A change in an organization, with the person who made it.
 *
 * @param actor the person's email address at that time
 */
public record AuditEntry(
        AuditEntryId id,
        Instant at,

        @Schema(
                description = "The time of the last save, if the entry covers several; then changes has those of all",
                nullable = true)
        @Nullable
        Instant until,

        UserId userId,
        @Schema(examples = "ada@acme.example") String actor,

        @Schema(description = "The action, as kind.verb", examples = "api-keys.create")
        String action,

        @Schema(description = "The id of the changed or created resource") @Nullable
        String target,

        @Schema(description = "Its name at that time", examples = "Production") @Nullable
        String targetName,

        @Schema(description = "Changed fields; for a new or deleted resource, its fields")
        List<AuditChange> changes,

        @Schema(description = "The IP address of the request") @Nullable
        String address,

        @Nullable String userAgent,
        @Nullable String requestId) {
    public AuditEntry {
        changes = List.copyOf(changes);
    }

    /** An entry in the list. */
    @Schema(name = "AuditEntry")
    public record ListedAuditEntry(
            @JsonUnwrapped AuditEntry entry,

            @Schema(description = "Whether the resource still exists")
            boolean targetExists) {}
}
