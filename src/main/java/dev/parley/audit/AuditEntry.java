package dev.parley.audit;

import dev.parley.id.AuditEntryId;
import dev.parley.id.UserId;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Something that a person changed in an organization.
 *
 * @param actor the person's e-mail address at that time
 */
@Schema(name = "AuditEntry")
public record AuditEntry(
        AuditEntryId id,
        Instant at,
        UserId userId,
        @Schema(examples = "ada@acme.example") String actor,

        @Schema(description = "What was done, as kind.verb", examples = "api-keys.create")
        String action,

        @Schema(description = "The id of what was changed or made", nullable = true) @Nullable
        String target,

        @Schema(description = "The address that the request came from", nullable = true) @Nullable
        String address,

        @Schema(nullable = true) @Nullable String userAgent,
        @Schema(nullable = true) @Nullable String requestId) {}
